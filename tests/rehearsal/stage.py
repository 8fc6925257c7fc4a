"""The test environment for generated workflows: a repository with a copy of the set, and real but small services and
tools: git repositories, an S3 server, packages of ROCm, compilers, pip."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import index_world
import machines
import rocm_world
import s3_server
import setup_shapes
import signing_authority
import wheelrun as runner
from attested_world import client_config, make_verifier
from pytorch_world import make_world
from workflow_copy import copy_set, with_two_targets
from workflow_copy import replayed as with_replay

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "host_repository/build_tools"))
import rocm_tree

ROOT = runner.ROOT
GENERATED = Path(os.environ.get("REHEARSAL_SET", ROOT / "generated-workflows"))
ENGINE = os.environ.get("REHEARSAL_RUNNER", str(ROOT / ".tools/bin/rehearsal-runner"))
UV = Path(sys.executable).parent / "uv"
REPOSITORY = "ROCm/TheRock"
ROCM = "7.12.0a20260219"
REGION = "us-east-2"
HOSTED = ["ubuntu-24.04"]


def pythons(count=2):
    """The Pythons of a rehearsal: the first ones with releases that are installed on this machine. 3.11 starts
    fastest, and jobs of CI need 3.12."""
    found = [version for version in ("3.11", "3.12", "3.13", "3.10") if version in rocm_world.pythons()]
    if len(found) < count:
        raise RuntimeError(f"a rehearsal needs {count} Pythons of 3.10 to 3.13 with venv; found: {found}")
    return found[:count]


def say(line):
    """Prints a line of progress; pytest captures it and shows it for failed tests."""
    with open(os.environ.get("REHEARSAL_PROGRESS", "/dev/stdout"), "a", encoding="utf-8") as out:
        out.write(line + "\n")


@dataclass
class Job:
    """A job of a run; for a job that calls a workflow, `inner` holds the results of the called jobs."""

    result: str = ""
    why: str = ""
    outputs: dict = field(default_factory=dict)
    inner: dict = field(default_factory=dict)
    steps: dict = field(default_factory=dict)  # "job / step": result
    lines: list = field(default_factory=list)
    seconds: float = 0.0

    @property
    def text(self):
        return "\n".join(self.lines)


@dataclass
class Run:
    workflow: str
    jobs: dict
    seconds: float
    id: str
    commit: str

    def result(self, job):
        return self.jobs[job].result

    def ran(self):
        """Jobs that were not skipped."""
        return {name for name, job in self.jobs.items() if job.result != "skipped"}

    def shown(self):
        return "\n".join(f"{name}: {job.result} {job.why}\n" + "\n".join(job.lines[-60:])
                         for name, job in self.jobs.items() if job.result == "failure")


class Stage:
    """The environment of one rehearsal, in a folder."""

    pythons_of_linux = 2

    def __init__(self, folder, combos=None, without=(), plan_changes=None, families=(), with_pip="-"):
        """with_pip: a pattern of the jobs that test wheels with pip, on machines without uv."""
        self.folder = Path(folder)
        self.with_pip = with_pip
        self.plan = json.loads((GENERATED / "plan.json").read_text(encoding="utf-8"))
        with_two_targets(self.plan)
        self.server_folder = self.folder / "s3"
        self.server_folder.mkdir()
        self.runs = 0
        self.pythons = pythons(self.pythons_of_linux)
        self._open = contextlib.ExitStack()
        self._make_server()
        self.web = self._open.enter_context(index_world.served(self.server_folder / "data"))
        self._make_machines()
        self._make_authority()
        self._make_sources()
        self._make_repository(combos, without, plan_changes)
        for family in families:
            self.publish_rocm(family)

    def close(self):
        self._open.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # Environment.

    def _make_server(self):
        """A server with every bucket of the plan. A role is an account that may write only to the buckets of its domain."""
        self.server = s3_server.Server(self.server_folder, accounts=True, region=REGION)
        self._open.callback(self.server.close)
        (self.folder / "roles").mkdir()
        for name, domain in self.plan["domains"].items():
            keys = {"AWS_ACCESS_KEY_ID": f"role-{name}", "AWS_SECRET_ACCESS_KEY": f"secret-of-{name}"}
            self.server.make_account(*keys.values())
            for role in domain["roles"]:
                text = "".join(f"{variable}={value}\n" for variable, value in keys.items())
                (self.folder / "roles" / role.rsplit("/", 1)[1]).write_text(text, encoding="utf-8")
            for bucket in domain["buckets"]:
                self.server.allow(self.server.make_bucket(bucket), keys["AWS_ACCESS_KEY_ID"])
        (self.folder / "roles/assumed.txt").touch()
        (self.folder / "started.jsonl").touch()

    def _make_machines(self):
        for version in self.pythons:
            rocm_world.make_python(self.folder / "pythons" / version, version)
        rocm_world.wheelhouse()
        machines.make_bash(self.folder, self.tools(), self.pythons, UV, self.with_pip)
        machines.make_node(self.folder / "bin/node")
        for name in ("built", "programs"):
            (self.folder / name).mkdir()
        program = shutil.copy(runner.PROGRAM, self.folder / "built/wheelrun")
        # What jobs pack and unpack starts the program, whose fifteen megabytes took a tenth of a rehearsal's time.
        machines.make_starter(self.folder / "programs/wheelrun", program)
        (self.folder / "programs/built.txt").touch()

    def _make_authority(self):
        """What signs in place of Sigstore's public instance, and the program that verifies."""
        root = signing_authority.Authority(self.folder / "authority").trusted_root(self.folder / "authority")
        self.trust_root = client_config(root, self.folder / "trust_root.json")
        self._open.callback(make_verifier(self.folder / "bin").close)

    def _make_sources(self):
        """Local git repositories in place of the remote ones of the plan."""
        self.sources = make_world(self.folder / "sources", public=True)
        setup = setup_shapes.TORCH + (HERE / "torch/setup.py").read_text(encoding="utf-8")
        files = {**rocm_world.torch_files(), "setup.py": setup,
                 "csrc/kernel.hip": (HERE / "torch/kernel.hip").read_text(encoding="utf-8"),
                 "test/test_nn.py": "def test_linear():\n    pass\n"}
        for repository, branch, row in (("rocm_pytorch", "release/2.10", "torch_210"),
                                        ("rocm_pytorch", "release/2.9", "torch_29"),
                                        ("pytorch", "nightly", "torch_nightly")):
            self.sources.git(repository, "checkout", "--quiet", branch)
            self.sources.commits[row]["torch"] = self.sources.commit(repository, files)

    def _make_repository(self, combos, without, plan_changes):
        self.repository = self.folder / "repository"
        shutil.copytree(HERE / "host_repository", self.repository)
        shutil.copytree(ROOT / ".github/actions", self.repository / ".github/actions")
        self.workflows = self.repository / ".github/workflows"
        self.without, self.plan_changes = without, plan_changes
        self.addresses = {}
        for row in self.plan["release_types"].values():
            bucket = f"{self.web.url}/{row['python_bucket']}"
            self.addresses[row["index_url"]] = f"{bucket}/{row['subdir']}"
            self.addresses[row["staging_index_url"]] = f"{bucket}/{row['staging_subdir']}"
            # Otherwise pip would retry for half a minute for each package.
            self.addresses[row["dependencies"]["url"]] = f"{bucket}/{row['dependencies']['subdir']}"
        self.git("init", "--quiet")
        self.git("remote", "add", "origin", f"https://github.com/{REPOSITORY}.git")
        self.commit("Begin")
        self.keep(combos)

    def git(self, *words):
        return self.sources.git(self.repository, *words)

    def commit(self, message, files=None):
        for name, text in (files or {}).items():
            (self.repository / name).parent.mkdir(parents=True, exist_ok=True)
            (self.repository / name).write_text(text, encoding="utf-8")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def keep(self, combos, replayed=None, tested=False):
        """Copies the set again, with these combos only. replayed: a run of the first of them, whose build is not run
        again. tested: neither are its tests and its signing."""
        self.changes = copy_set(GENERATED, self.workflows, self.addresses, combos, self.without, self.plan_changes)
        if replayed is not None:
            ended = [("resolve_versions.yml", "resolve", "resolve"),
                     ("build_linux_pytorch_wheels.yml", "build", f"build_{combos[0]}")]
            if tested:
                ended += [("build_linux_pytorch_wheels.yml", "upload", f"build_{combos[0]}"),
                          ("test_pytorch_wheels.yml", "linux", f"test_{combos[0]}"),
                          ("attest_pytorch_wheels.yml", "attest", f"attest_{combos[0]}")]
            self._repeat(replayed, ended)
        self.commit("Choose combos")
        say("\nThe copy of the workflows differs from the originals:\n" + "\n".join(f"  {line}" for line in self.changes))

    def _repeat(self, run, ended):
        """ended: (workflow, job of it, job of the run that has its outputs)."""
        for name, job, owner in ended:
            path = self.workflows / name
            text = with_replay(path.read_text(encoding="utf-8"), job, run.jobs[owner].outputs)
            path.write_text(text, encoding="utf-8")
            self.changes.append(f"{name}: {job} repeats its former outputs")

    @contextlib.contextmanager
    def repeating(self, run, *ended):
        """Meanwhile these jobs only repeat what they gave in a run: see _repeat()."""
        kept = {name: (self.workflows / name).read_text(encoding="utf-8") for name, _, _ in ended}
        self._repeat(run, ended)
        self.commit("Repeat outputs")
        yield
        self.commit("Repeat no outputs", {self.workflows.relative_to(self.repository) / name: text
                                          for name, text in kept.items()})

    def publish_rocm(self, family, version=ROCM, release_type="nightly"):
        """Uploads the ROCm packages that a release builds on, and the packages mirrored from the public index, to the
        release index and the staging index."""
        row = self.plan["release_types"][release_type]
        targets = rocm_tree.targets_of(self.plan, family)
        tree = self.tree(family, targets)
        packages = rocm_world.make_rocm(self.folder / "rocm" / family, version, targets, family, tree)
        for path in rocm_world.wheelhouse().glob("*.whl"):
            shutil.copy(path, packages)
        environment = {**s3_server.variables(self.server.url, AWS_REGION=REGION),
                       "WHEELRUN_PLAN": str(self.workflows / "plan.json")}
        for subdir, staging in ((row["subdir"], []), (row["staging_subdir"], ["--staging"])):
            self.server.aws("s3", "cp", "--recursive", packages, f"s3://{row['python_bucket']}/{subdir}/{family}/")
            done = runner.wheelrun("index", "--family", family, "--bucket", row["python_bucket"], *staging,
                                   env=environment)
            assert done.status == 0, done.stdout + done.stderr

    def tree(self, family, targets):
        return rocm_tree.make_tree(self.folder / "trees" / family, targets)

    def gpu_of(self, label):
        """The GPU of the runners with a label."""
        for row in self.plan["families"].values():
            platform = row.get("linux") or {}
            if label in (platform.get("test_runs_on"), platform.get("sandbox_runs_on")):
                return platform["targets"][0]
        return ""

    def labels(self):
        found = set(HOSTED)
        platform = self.plan["platforms"]["linux"]
        found |= {platform[key] for key in ("build_runs_on", "build_runs_on_sanitizer", "fallback_runs_on")}
        for row in self.plan["families"].values():
            platform = row.get("linux") or {}
            found |= {platform.get("test_runs_on"), platform.get("sandbox_runs_on")} - {None, ""}
        return sorted(found)

    # Runs.

    def run(self, workflow, event, payload, name=None, machines=None, environment=None, again=None, jobs=2,
            tokens=None):
        """Runs a workflow of the repository on an event.

        machines: variables of the machines of single jobs. again: the run of which this is another attempt, with its id
        and commit. tokens: the values of `github.token` in single jobs. Returns a Run.
        """
        self.runs += 1
        name = name or f"{self.runs}-{Path(workflow).stem}"
        folder = self.folder / "runs" / name
        folder.mkdir(parents=True)
        (folder / "event.json").write_text(json.dumps(payload), encoding="utf-8")
        run_id = again.id if again else str(19_000_000_000 + self.runs)
        commit = again.commit if again else self.git("rev-parse", "HEAD")
        config = {
            "workflow": str(self.repository / ".github/workflows" / workflow),
            "workdir": str(self.repository),
            "event": event,
            "event_file": str(folder / "event.json"),
            "folder": str(folder / "work"),
            "labels": self.labels(),
            "jobs": jobs,
            "actions": {f"{path.parent.name}/{path.name}": str(path) for path in HERE.glob("stand_ins/*/*")},
            "env": {**self._environment(name, run_id, commit, workflow), **(environment or {})},
            "job_env": machines or {},
            "tokens": tokens or {},
        }
        (folder / "config.json").write_text(json.dumps(config, indent=1), encoding="utf-8")
        return self._follow(folder, workflow, run_id, commit)

    def tools(self):
        """The first entries of a job's PATH: the shell that enters containers, and a Python."""
        return f"{self.folder}/bin:{self.folder}/pythons/{self.pythons[0]}/bin"

    def _environment(self, name, run_id, commit, workflow):
        return {
            "GITHUB_REPOSITORY": REPOSITORY, "GITHUB_REPOSITORY_OWNER": REPOSITORY.split("/")[0],
            "GITHUB_RUN_ID": run_id, "GITHUB_REF": "refs/heads/main", "SHA_REF": commit,
            "GITHUB_WORKFLOW_REF": f"{REPOSITORY}/.github/workflows/{workflow}@refs/heads/main",
            "WHEELRUN_TRUST_ROOT": str(self.trust_root), "REHEARSAL": str(self.folder),
            "REHEARSAL_REPOSITORY": str(self.repository), "REHEARSAL_RUN": name,
            "REHEARSAL_MODULES": str(ROOT / "tests/python"),
            "REHEARSAL_UV": str(UV), "UV_NO_CONFIG": "1",
            # An index of nothing: uv has no variable for having none.
            "UV_DEFAULT_INDEX": f"{self.web.url}/none",
            "UV_FIND_LINKS": str(rocm_world.wheelhouse()), "UV_CACHE_DIR": str(self.folder / "cache/uv"),
            "AWS_ENDPOINT_URL": self.server.url, "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_CONFIG_FILE": "/nowhere", "AWS_SHARED_CREDENTIALS_FILE": "/nowhere",
            "XDG_CACHE_HOME": str(self.folder / "cache"), "CCACHE_DIR": str(self.folder / "cache/ccache"),
            **rocm_world.pip_environment(),
        }

    def _follow(self, folder, workflow, run_id, commit):
        """Runs the engine and reads its log."""
        kept = {name: value for name, value in self.sources.environment.items()
                if not name.startswith(("GITHUB_", "WHEELRUN_", "AWS_", "PIP_", "ACTIONS_", "RUNNER_", "REHEARSAL",
                                        "PYTHONDONTWRITEBYTECODE"))}
        kept.update(PATH=f"{self.tools()}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                    LC_ALL="C.UTF-8", CI="true", PIP_DISABLE_PIP_VERSION_CHECK="1")
        jobs, begun = {}, time.monotonic()
        since = {}
        with open(folder / "stderr.log", "w+", encoding="utf-8") as problems, subprocess.Popen(
                [ENGINE, folder / "config.json"], stdout=subprocess.PIPE, stderr=problems, text=True,
                env=kept) as process:
            for line in process.stdout:
                entry = json.loads(line)
                name = entry["run_job"]
                job = jobs.setdefault(name, Job())
                since.setdefault(name, time.monotonic())
                if entry["msg"] == "job ended":
                    job.result, job.outputs, job.why = entry["result"], entry["outputs"] or {}, entry.get("why", "")
                    job.seconds = time.monotonic() - since[name]
                    self._tell(folder, name, job, time.monotonic() - begun)
                    continue
                if entry.get("stepResult") and entry.get("stage") == "Main":
                    job.steps[f"{entry['jobID']} / {entry['step']}"] = entry["stepResult"]
                if entry.get("jobResult"):
                    job.inner[entry["jobID"]] = entry["jobResult"]
                if not entry["msg"].startswith("LocalRepositoryCache"):
                    job.lines.append(entry["msg"].rstrip("\n"))
                    with open(folder / f"{name}.log", "a", encoding="utf-8") as log:
                        log.write(job.lines[-1] + "\n")
            status = process.wait()
            problems.seek(0)
            said = problems.read()
        if status == 2 or (status != 0 and not any(job.result == "failure" for job in jobs.values())):
            raise RuntimeError(f"{workflow} could not be run: {said}")
        shutil.rmtree(folder / "work", ignore_errors=True)
        return Run(workflow, jobs, time.monotonic() - begun, run_id, commit)

    def _tell(self, folder, name, job, seconds):
        if job.result != "skipped":
            say(f"{int(seconds) // 60:3}:{int(seconds) % 60:02}  {job.result:8} {folder.name}  {name}"
                f"  {job.seconds:.0f} s")

    # Results.

    def aws_as(self, keys, *words):
        """The output of aws with the credentials of an account, which may lack the permission."""
        return self.server.aws(*words, check=False, keys=keys)

    def assumed(self):
        """(run, job, role) for each assumed role."""
        lines = (self.folder / "roles/assumed.txt").read_text(encoding="utf-8").splitlines()
        return [tuple(line.split()) for line in lines]

    def built(self):
        """(run, job) for each build of wheelrun from its sources."""
        lines = (self.folder / "programs/built.txt").read_text(encoding="utf-8").splitlines()
        return [tuple(line.split()) for line in lines]

    def started(self):
        lines = (self.folder / "started.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def wheels_in(self, bucket, prefix):
        """{file name: SHA-256} of all wheels in a folder of a bucket, read from the server's disk."""
        folder = self.server_folder / "data" / bucket / prefix
        return {path.name: s3_server.sha256(path) for path in sorted(folder.glob("*.whl"))}
