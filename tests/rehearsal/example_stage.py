"""The test environment for a project of examples/: a repository with its files and some of its jobs, on this machine."""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path

import source_tree
import wheelrun as runner
import yaml
from own_stage import OwnStage
from pytorch_world import World
from stage import HERE, ROOT, say
from workflow_copy import jobs_of, without_jobs

PROGRAM = Path(runner.PROGRAM).resolve().with_name("wheelwright")


class ExampleStage(OwnStage):
    """The environment of one example, in a folder. programs: {name on the PATH of jobs: program of this machine}.
    edits: (file, old text, new text) for its matrix and templates; the workflows are generated from the result."""

    def __init__(self, folder, example, programs, edits=()):
        self.folder, self.runs, self.changes = Path(folder), 0, []
        self._open = contextlib.ExitStack()
        self.sources = World(self.folder, self.folder / "plan.json", dict(os.environ))
        self.repository = self.folder / "repository"
        self.workflows = self.repository / ".github/workflows"
        self.name = yaml.load((ROOT / "examples" / example / "matrix/settings.yml").read_text(), yaml.CSafeLoader)["settings"]["repository"]
        shutil.copytree(ROOT / "examples" / example, self.repository)
        for name, old, new in edits:
            path = self.repository / name
            text = path.read_text(encoding="utf-8")
            assert text.count(old) == 1, f"{name}: {old}"
            path.write_text(text.replace(old, new), encoding="utf-8")
        done = subprocess.run([PROGRAM, "generate", "--out", ".github/workflows"], cwd=self.repository,
                              capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        self.releases = self.folder / "releases"
        self._make_index()
        self.tools().mkdir()
        for name, program in {"gh": HERE / "own_release/gh", **programs}.items():
            (self.tools() / name).symlink_to(program if Path(program).is_absolute() else shutil.which(program))

    def only(self, workflow, *jobs):
        """Removes all other jobs, and `services:`, which act would start with docker; commits."""
        path = self.workflows / workflow
        text = path.read_text(encoding="utf-8")
        left_out = [job for job in jobs_of(text) if job not in jobs]
        text = without_jobs(text, left_out)
        # An expression may list the outputs of all jobs, one on each line.
        text = "".join(line for line in text.splitlines(True) if not any(f" needs.{job}." in line for job in left_out))
        text, services = re.subn(r"^    services:\n(?:      .*\n)+", "", text, flags=re.M)
        if "https://upload.pypi.org/" in text:
            text = self._with_own_index(text)
        path.write_text(text, encoding="utf-8")
        say(f"\n{workflow}: {len(left_out)} jobs left out, {services} x `services:` left out")
        return source_tree.commit_all(self.repository)

    def push(self, workflow, ref, machines=None):
        """Runs a workflow for a pushed branch or tag; the token of each job has the permissions that the job declares."""
        tokens, granted = self._grants(workflow)
        granted = {job: variables | (machines or {}).get(job, {}) for job, variables in granted.items()}
        name = ref.split("/", 2)[2]
        event = {"ref": ref, "after": self.git("rev-parse", "HEAD"), "repository": {"full_name": self.name}}
        return self.run(workflow, "push", event, tokens=tokens, machines=granted,
                        environment={"GITHUB_REF": ref, "GITHUB_REF_NAME": name})

    def labels(self):
        workflows = [yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader) for path in self.workflows.glob("*.yml")]
        return sorted({job["runs-on"] for workflow in workflows for job in workflow["jobs"].values() if "runs-on" in job})

    def _environment(self, name, run_id, commit, workflow):
        return {
            "GITHUB_REPOSITORY": self.name, "GITHUB_REPOSITORY_OWNER": self.name.split("/")[0], "GITHUB_RUN_ID": run_id,
            "SHA_REF": commit, "REHEARSAL": str(self.folder),
            "REHEARSAL_REPOSITORY": str(self.repository), "REHEARSAL_RUN": name,
            "REHEARSAL_UV": str(Path(sys.executable).parent / "uv"), "UV_NO_CONFIG": "1",
            "SSL_CERT_FILE": str(self.index / "authority.pem"), "UV_CACHE_DIR": str(self.folder / "cache"),
            "CMAKE_CXX_COMPILER_LAUNCHER": "ccache", "CCACHE_BASEDIR": str(self.folder), "CCACHE_NOHASHDIR": "1",
        }


@contextlib.contextmanager
def fake_redis():
    """A fake Redis server that answers OK to SET and an error to all else. Yields (port, received commands)."""
    commands = []

    def serve():
        while True:
            try:
                client, _ = server.accept()
            except OSError:
                return
            with client:
                words = client.recv(4096).decode().split("\r\n")[2::2]
                commands.append(words)
                client.sendall(b"+OK\r\n" if words[:1] == ["SET"] else b"-ERR unknown command\r\n")

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1], commands
        server.shutdown(socket.SHUT_RDWR)
