"""Writes actions.jsonl beside this script: what the most used actions take and give, by major version.

Each line has an action.yml of the newest tag of a major version, with its tag and commit; `wheelwright actions` reads it.
The repositories, and what their action.yml does not say, stand in repositories.json.

Usage: refresh.py WHEELWRIGHT FOLDER    FOLDER has a clone of each repository, named OWNER+NAME, bare or not;
                                        what is not there is cloned into it, without the contents of files.
"""

import json
import re
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

HERE = Path(__file__).resolve().parent
TAG = re.compile(r"v?(\d+)(?:\.(\d+))?(?:\.(\d+))?")
# The newest ones. 0.x versions, which may change with each minor one, are read where there are no others.
MAJORS, MINORS = 6, 8
STALE_DAYS = 365
SKIPPED = re.compile(r"(^|/)(\.github|node_modules|tests?|__tests__|examples?|testdata|fixtures|dist)/")


def git(folder, *words):
    return subprocess.run(["git", f"--git-dir={folder}", *words], capture_output=True, text=True, check=True).stdout


def clone(folder, repository):
    place = folder / repository.replace("/", "+")
    if not place.exists():
        subprocess.run(["git", "clone", "--quiet", "--bare", "--filter=blob:none",
                        f"https://github.com/{repository}", str(place)], check=True)
    inner = (place / "repo/.git", place / "repo", place / ".git", place)
    return next(one for one in inner if (one / "objects").is_dir())


def newest_tags(folder):
    """(version that fixes the interface, its newest tag), newest first."""
    found = {}
    for tag in git(folder, "tag").split():
        match = TAG.fullmatch(tag)
        if not match:
            continue
        major, minor, patch = (int(part or 0) for part in match.groups())
        prefix = "v" if tag.startswith("v") else ""
        # A tag such as v4 moves with the newest release, which has more numbers.
        exact = sum(part is not None for part in match.groups())
        if major == 0 and exact < 2:
            continue
        version = f"{prefix}0.{minor}" if major == 0 else f"{prefix}{major}"
        found[version] = max(found.get(version, ((-1,), "")), ((major, minor, patch, exact), tag))
    order = sorted(found.items(), key=lambda one: one[1][0], reverse=True)
    later = [one for one in order if one[1][0][0] > 0][:MAJORS]
    return [(version, tag) for version, (_, tag) in later or order[:MINORS]]


def actions(folder, tag):
    """(path below the repository or "", name of the file)"""
    for path in git(folder, "ls-tree", "-r", "--name-only", tag).splitlines():
        parent, _, name = path.rpartition("/")
        if name in ("action.yml", "action.yaml") and parent.count("/") < 2 and not SKIPPED.search(path):
            yield parent, path


def day(folder):
    return date.fromisoformat(git(folder, "log", "-1", "--format=%cs", "HEAD").strip())


def lines(program, folder, repository, more, stale):
    """Of a stale clone: its newest version may take more by now."""
    tags = newest_tags(folder)
    newest = tags[0][0] if tags else ""
    for version, tag in tags:
        commit = git(folder, "rev-parse", f"{tag}^{{commit}}").strip()
        for parent, path in actions(folder, tag):
            name = f"{repository}/{parent}" if parent else repository
            with tempfile.TemporaryDirectory() as place:
                file = Path(place, "action.yml")
                file.write_text(git(folder, "show", f"{tag}:{path}"), encoding="utf-8")
                done = subprocess.run([program, "actions", f"{name}@{version}={file}"], capture_output=True, text=True,
                                      check=False)
            if done.returncode != 0:
                print(f"{name}@{tag}: {done.stderr}", file=sys.stderr)
                continue
            line = json.loads(done.stdout)
            head = {key: line.pop(key) for key in ("action", "version")}
            own = {key: value for key, value in more.items() if key.startswith("open_")}
            if stale and version == newest:
                own |= {"open_inputs": True, "open_outputs": True}
            if ended := more.get("ended", {}).get(version):
                own |= {"ended": ended[0], "ended_source": ended[1]}
            yield {**head, "tag": tag, "commit": commit, **line, **own}


def main(program, folder):
    repositories = json.loads((HERE / "repositories.json").read_text(encoding="utf-8"))
    clones = {repository: clone(Path(folder), repository) for repository in repositories}
    today = max(map(day, clones.values()))
    found = []
    for repository, more in repositories.items():
        stale = (today - day(clones[repository])).days > STALE_DAYS and not more.get("finished")
        found += lines(program, clones[repository], repository, more, stale)
    found.sort(key=lambda line: (line["action"].lower(), [int(part) for part in re.findall(r"\d+", line["version"])]))
    text = "\n".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in found)
    (HERE / "actions.jsonl").write_text(text + "\n", encoding="utf-8")
    print(f"{len(found)} versions of {len({line['action'] for line in found})} actions")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
