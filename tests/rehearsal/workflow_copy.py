"""Copies the generated set for a rehearsal, and lists the differences."""

import json
import re


def _blocks(text):
    """Splits a workflow at its jobs: (id or "", lines with their comments)."""
    blocks, rest, in_jobs = [("", [])], [], False
    for line in text.splitlines(keepends=True):
        found = re.match(r"  ([A-Za-z_][\w-]*):\s*$", line) if in_jobs else None
        if found:
            blocks.append((found.group(1), [*rest, line]))
            rest = []
        elif in_jobs and (not line.strip() or re.match(r"  #", line)):
            rest.append(line)
        else:
            blocks[-1][1].extend([*rest, line])
            rest = []
            in_jobs = in_jobs or line.rstrip() == "jobs:"
    blocks[-1][1].extend(rest)
    return blocks


def without_jobs(text, dropped):
    """The text without these jobs, and without their names in the `needs` of other jobs."""
    needs = {f"      - {job}\n" for job in dropped}
    return "".join(line for job, lines in _blocks(text) if job not in dropped for line in lines if line not in needs)


def _with_variable(job, line):
    """A job with one more variable."""
    head, env, rest = job.partition("    env:\n")
    if env and "    steps:\n" not in head:
        return f"{head}{env}      {line}\n{rest}"
    head, steps, rest = job.partition("    steps:\n")
    return f"{head}    env:\n      {line}\n{steps}{rest}"


def without_containers(text):
    """(the text, number of containers). Each `container:` is replaced by the variable REHEARSAL_CONTAINER with the name
    of the image."""
    pattern = re.compile(r"^    container:\n      image: (\S+).*\n(?:      .*\n)*", re.MULTILINE)
    count = 0
    blocks = []
    for _, lines in _blocks(text):
        block = "".join(lines)
        if found := pattern.search(block):
            count += 1
            block = _with_variable(pattern.sub("", block), f"REHEARSAL_CONTAINER: {found[1]}")
        blocks.append(block)
    assert count == text.count("    container:\n")
    return "".join(blocks), count


def with_windows(text):
    """(the text, number of jobs). Jobs on machines for Windows have the variable REHEARSAL_WINDOWS."""
    blocks, count = [], 0
    for job, lines in _blocks(text):
        block = "".join(lines)
        if job == "windows" or re.search(r"^    runs-on: .*\bwindows-", block, re.MULTILINE):
            count += 1
            block = _with_variable(block, 'REHEARSAL_WINDOWS: "1"')
        blocks.append(block)
    return "".join(blocks), count


def replayed(text, job, outputs):
    """The text with a job that only repeats its former outputs, like a job that is not rerun."""
    def replace(lines):
        head = list(lines[: next(i for i, line in enumerate(lines) if line == "    steps:\n")])
        names = dict(re.findall(r"^      (\w+): \$\{\{ steps\.(\w+)\.outputs\.\1 \}\}$", "".join(head), re.MULTILINE))
        steps = ["    steps:\n"] if names else ["    steps:\n", "      - run: 'true'\n"]
        for step in dict.fromkeys(names.values()):
            values = {name: outputs[name] for name, owner in names.items() if owner == step}
            pairs = "".join(f"{name}={value}\n" for name, value in values.items())
            script = f"cat >>\"$GITHUB_OUTPUT\" <<'END_OF_OUTPUTS'\n{pairs}END_OF_OUTPUTS\n"
            steps += [f"      - id: {step}\n", "        shell: bash\n", f"        run: {json.dumps(script)}\n"]
        return head + steps

    return "".join(line for name, lines in _blocks(text) for line in (replace(lines) if name == job else lines))


def jobs_of(text):
    return [job for job, _ in _blocks(text) if job]


def with_two_targets(plan):
    """Leaves two GPUs of each family: a real compiler compiles each source for each of them, in each build."""
    plan["target_groups"] = {name: targets[:2] for name, targets in plan["target_groups"].items()}
    for row in plan["families"].values():
        for platform in filter(None, (row["linux"], row["windows"])):
            platform["targets"] = platform["targets"][:2]
    return ["plan.json: at most two GPUs of each family"]


def copy_set(source, target, addresses, combos=None, without=(), plan_changes=None):
    """Copies the workflows and the plan. Returns a line for each difference.

    addresses: {URL of an index: its local replacement}. combos: the combos of release workflows to keep. without: jobs
    of these combos, and of CI, whose names contain one of these are left out. plan_changes: a function that changes the
    plan and describes it.
    """
    target.mkdir(parents=True, exist_ok=True)
    changes = []
    for path in sorted(source.glob("*.yml")):
        text, count = without_containers(path.read_text(encoding="utf-8"))
        if count:
            changes.append(f"{path.name}: {count} x an empty root directory in place of `container:`")
        text, count = with_windows(text)
        if count:
            changes.append(f"{path.name}: {count} x a machine with Wine")
        dropped = set()
        if combos is not None and re.match(r"release_(linux|windows)_", path.name):
            chains = {job for job in jobs_of(text) if re.match(r"(build|test|attest|promote|install)_", job)}
            dropped = {job for job in chains
                       if job.split("_", 1)[1] not in combos or any(part in job for part in without)}
        if path.name.startswith("ci_"):
            dropped = {job for job in jobs_of(text) if any(part in job for part in without)}
        if dropped:
            text = without_jobs(text, dropped)
            # What the index is told of promotions that are not there.
            text = re.sub(r"(\w+)=\$\{\{ needs\.(promote_\w+)\.outputs\.verdict[^}]*\}\}",
                          lambda found: f"{found[1]}=skipped" if found[2] in dropped else found[0], text)
            changes.append(f"{path.name}: {len(dropped)} of {len(dropped) + len(jobs_of(text))} jobs left out")
        (target / path.name).write_text(text, encoding="utf-8")
    text = (source / "plan.json").read_text(encoding="utf-8")
    for public, local in addresses.items():
        assert f'"{public}"' in text, public
        text = text.replace(f'"{public}"', f'"{local}"')
        changes.append(f"plan.json: {public} is {local}")
    plan = json.loads(text)
    changes += with_two_targets(plan)
    if plan_changes:
        changes += plan_changes(plan)
    (target / "plan.json").write_text(json.dumps(plan, indent=1), encoding="utf-8")
    return changes
