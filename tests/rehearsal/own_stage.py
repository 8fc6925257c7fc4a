"""The test environment for the release of this project itself: its repository, a package index, and the tokens that
GitHub gives to each job according to the job's permissions."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import source_tree
import yaml
from pytorch_world import World
from stage import HERE, ROOT, Stage, say
from workflow_copy import replayed, without_containers

REPOSITORY = "ROCm/wheelwright"
PROJECT = "wheelwright-actions"
TOOLS = HERE / "own_release"
# Names under which the fake compiler is called; Debian's Python names the third.
COMPILERS = ("c++", "g++", "x86_64-linux-gnu-g++", "aarch64-linux-gnu-g++")
# Jobs that are not run. CI builds the same files, and runs their programs under Wine.
WINDOWS = ("build_windows", "try_windows")
# ubuntu-24.04-arm is the host too; this variable makes pip treat it as aarch64.
ARM = {"_PYTHON_HOST_PLATFORM": "linux-aarch64"}


class OwnStage(Stage):
    """The environment of a release of this project, in a folder. programs: the folder of the programs to release."""

    def __init__(self, folder, programs, version):
        self.folder, self.version, self.name = Path(folder), version, REPOSITORY
        self.runs = 0
        self._open = contextlib.ExitStack()
        self.sources = World(self.folder, self.folder / "plan.json", dict(os.environ))
        self.releases = self.folder / "releases"
        self._make_repository()
        self._make_index()
        self._copy_workflow()
        self._make_machine(Path(programs))

    # Environment.

    def _make_repository(self):
        """A copy of the work tree. It shares .tools/, so that `./dev` installs nothing."""
        self.repository = source_tree.make_repository(self.folder / "repository")
        self.workflows = self.repository / ".github/workflows"
        (self.repository / ".tools").symlink_to(ROOT / ".tools")
        self.changes = [".tools: those of the project itself"]

    def _make_index(self):
        """An index that trusts only this workflow in its environment."""
        self.index = self.folder / "index"
        self.index.mkdir()
        key = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
        for made in (["-subj", "/CN=authority", "-keyout", "authority.key", "-out", "authority.pem"],
                     ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-addext",
                      "basicConstraints=CA:FALSE", "-CA", "authority.pem", "-CAkey", "authority.key", "-keyout",
                      "key.pem", "-out", "certificate.pem"]):
            subprocess.run([*key, *made], cwd=self.index, check=True, capture_output=True)
        self.trust()
        process = self._open.enter_context(subprocess.Popen(
            [ROOT / ".tools/packaging/bin/python", TOOLS / "package_index.py", self.index], stdout=subprocess.PIPE,
            stderr=open(self.index / "log.txt", "w", encoding="utf-8"), text=True))
        self._open.callback(process.terminate)
        self.url = f"https://localhost:{int(process.stdout.readline())}"

    def trust(self, environment="pypi"):
        """Sets the jobs that the index trusts."""
        publisher = {"repository": self.name, "workflow": "release.yml", "environment": environment}
        (self.index / "publisher.json").write_text(json.dumps(publisher), encoding="utf-8")

    def _make_machine(self, programs):
        """Fake compilers, which link by copying a program that was built before."""
        self.tools().mkdir()
        for name in COMPILERS:
            (self.tools() / name).symlink_to(TOOLS / "compiler")
        for name in ("gh", "aarch64-linux-gnu-strip"):
            (self.tools() / name).symlink_to(TOOLS / name)
        self.programs = programs.resolve()

    def _copy_workflow(self):
        path = self.workflows / "release.yml"
        text, count = without_containers(path.read_text(encoding="utf-8"))
        self.changes.append(f"release.yml: {count} x `container:` left out, the job runs on this machine")
        for job in WINDOWS:
            text = replayed(text, job, {})
        self.changes.append(f"release.yml: the steps of {' and '.join(WINDOWS)} left out, this machine has no Windows")
        path.write_text(self._with_own_index(text), encoding="utf-8")
        source_tree.commit_all(self.repository)

    def _with_own_index(self, text):
        """The text with the local index in place of the public one."""
        for public, local in (("https://upload.pypi.org/legacy/", f"{self.url}/legacy/"),
                              ("https://pypi.org/simple/", f"{self.url}/simple/")):
            assert text.count(f": {public}\n") == 1
            text = text.replace(f": {public}\n", f": {local}\n")
            self.changes.append(f"release.yml: {public} is {local}")
        return text

    def tag(self, name):
        """Creates a tag like a maintainer."""
        source_tree.git(self.repository, "tag", name)

    # Credentials of jobs.

    def _jobs(self, workflow="release.yml"):
        return yaml.load((self.workflows / workflow).read_text(encoding="utf-8"), yaml.CSafeLoader)["jobs"]

    def labels(self):
        return sorted({job["runs-on"] for job in self._jobs().values()})

    def _grants(self, workflow="release.yml"):
        """(token of each job, whose permissions the fake tools check; OIDC variables of jobs with `id-token: write`)"""
        permissions, tokens, machines = {}, {}, {}
        for name, job in self._jobs(workflow).items():
            tokens[name] = f"token-of-{name}"
            permissions[tokens[name]] = job["permissions"]
            machines[name] = dict(ARM) if job.get("runs-on", "").endswith("-arm") else {}
            if job["permissions"].get("id-token") == "write":
                claims = {"sub": f"repo:{self.name}", "repository": self.name, "workflow": workflow,
                          "environment": (job.get("environment") or {}).get("name", "")}
                (self.index / f"identity-of-{name}.json").write_text(json.dumps(claims), encoding="utf-8")
                machines[name] |= {"ACTIONS_ID_TOKEN_REQUEST_URL": f"{self.url}/identity?job={name}",
                                   "ACTIONS_ID_TOKEN_REQUEST_TOKEN": f"request-of-{name}"}
        (self.folder / "permissions.json").write_text(json.dumps(permissions), encoding="utf-8")
        return tokens, machines

    def release(self, tag, machines=None):
        """Runs the workflow for a tag. machines: additional variables of single jobs."""
        say("\nThe copy of the workflow differs from the original:\n" + "\n".join(f"  {line}" for line in self.changes))
        return self._run(tag, machines)

    def run_again(self, tag, run):
        """Reruns the jobs that did not succeed; the others keep their results."""
        path = self.workflows / "release.yml"
        whole = text = path.read_text(encoding="utf-8")
        for name, job in run.jobs.items():
            if job.result == "success":
                text = replayed(text, name, {})
        path.write_text(text, encoding="utf-8")
        try:
            return self._run(tag, again=run)
        finally:
            path.write_text(whole, encoding="utf-8")

    def _run(self, tag, machines=None, again=None):
        sha = source_tree.git(self.repository, "rev-parse", "HEAD")
        tokens, granted = self._grants()
        for name, variables in (machines or {}).items():
            granted[name] |= variables
        event = {"ref": f"refs/tags/{tag}", "after": sha, "created": True,
                 "repository": {"full_name": REPOSITORY, "name": "wheelwright", "owner": {"login": "ROCm"}}}
        return self.run("release.yml", "push", event, machines=granted, tokens=tokens, again=again,
                        environment={"GITHUB_REF": f"refs/tags/{tag}", "GITHUB_REF_NAME": tag})

    def tools(self):
        return self.folder / "machine"

    def git(self, *words):
        return source_tree.git(self.repository, *words)

    def _environment(self, name, run_id, commit, workflow):
        return {
            "GITHUB_REPOSITORY": REPOSITORY, "GITHUB_REPOSITORY_OWNER": "ROCm", "GITHUB_RUN_ID": run_id,
            "SHA_REF": commit,
            "REHEARSAL": str(self.folder), "REHEARSAL_REPOSITORY": str(self.repository), "REHEARSAL_RUN": name,
            "REHEARSAL_PROGRAMS": str(self.programs), "REHEARSAL_UV": str(Path(sys.executable).parent / "uv"),
            "SSL_CERT_FILE": str(self.index / "authority.pem"), "UV_CACHE_DIR": str(self.folder / "cache"),
            "UV_NO_CONFIG": "1", "CCACHE_DISABLE": "1", "PYTHONDONTWRITEBYTECODE": "1",
        }

    # Results.

    def released(self, tag):
        """The files of a release on GitHub, by name."""
        folder = self.releases / tag
        return {path.name: path for path in folder.iterdir()} if folder.is_dir() else {}

    def indexed(self):
        return {path.name: path for path in (self.index / "packages").glob("wheelwright*")}

    def asked(self):
        """(job, the index's answer) for each request of a token of the index."""
        path = self.index / "asked.jsonl"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return [tuple(json.loads(line)) for line in lines]

    def forget_release(self):
        shutil.rmtree(self.releases, ignore_errors=True)
