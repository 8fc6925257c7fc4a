"""Wheels, what is attested of them, and the signatures of an authority of the tests."""

import json
import sys
from pathlib import Path

import signing_authority
from forked import Forks
from index_world import make_wheel, sha256
from wheelrun import in_job

FAMILY = "gfx94X-dcgpu"
VERSION = "2.10.0+rocm7.12.0a20260219"
COMMIT = "c0ffee" + 34 * "0"
SIGNER = ".github/workflows/attest_pytorch_wheels.yml"
RECORD = "https://github.com/ROCm/wheelwright/build-record/v1"
JOB = {"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "ROCm/TheRock", "GITHUB_REPOSITORY_ID": "1",
       "GITHUB_REPOSITORY_OWNER_ID": "2", "GITHUB_REF": "refs/heads/main", "GITHUB_REF_NAME": "main",
       "GITHUB_SHA": COMMIT, "GITHUB_EVENT_NAME": "schedule", "GITHUB_RUN_ID": "19000000001", "GITHUB_RUN_ATTEMPT": "1",
       "GITHUB_WORKFLOW_REF": "ROCm/TheRock/.github/workflows/release_linux_pytorch_wheels_gfx94X-dcgpu.yml"
                              "@refs/heads/main",
       "RUNNER_ENVIRONMENT": "github-hosted"}
MANIFEST = {"pytorch": {"commit": "a" * 40, "repo": "https://github.com/ROCm/pytorch.git", "branch": "release/2.10"},
            "pytorch_vision": {"commit": "b" * 40, "repo": "https://github.com/pytorch/vision.git"},
            "therock": {"commit": COMMIT, "repo": "https://github.com/ROCm/TheRock.git", "branch": "main"}}


def make_wheels(folder):
    """The output of a build: two wheels and their manifest."""
    make_wheel(folder, "torch", VERSION, ["rocm[libraries]==7.12.0a20260219", "sympy>=1.13.3",
                                          "numpy; python_version < '3.13'"])
    make_wheel(folder, "torchvision", "0.25.0+rocm7.12.0a20260219", [f"torch=={VERSION}"])
    (folder / "manifests").mkdir()
    (folder / "manifests/therock-manifest_torch_py3.12_release-2.10.json").write_text(json.dumps(MANIFEST))
    return folder


def sums(folder):
    return {path.name: sha256(path) for path in sorted(folder.glob("*.whl"))}


def attest(job, dist, out, *more, env=None):
    return in_job(job, "attest", dist, "--output-dir", out, "--signer", SIGNER, *more, env={**JOB, **(env or {})})


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def sign(authority, out, **said):
    """What the signing steps of a job leave: bundles beside the bills, as `wheelrun attest collect` puts them."""
    claims = signing_authority.claims(**{"commit": COMMIT, **said})

    def bundle(subjects, kind, predicate):
        lines = (out / subjects).read_text(encoding="utf-8").splitlines()
        wheels = {name: digest for digest, name in (line.split("  ") for line in lines)}
        return wheels, authority.sign(wheels, kind, read(out / predicate), claims)
    wheels, record = bundle("subjects.txt", RECORD, "record.json")
    for name in wheels:
        (out / f"{name}.record.sigstore.json").write_text(json.dumps(record))
    for folder in (path.parent for path in out.glob("*/subject.txt")):
        one, signed = bundle(folder / "subject.txt", signing_authority.PROVENANCE, folder / "provenance.json")
        (out / f"{next(iter(one))}.provenance.sigstore.json").write_text(json.dumps(signed))


def client_config(root, path):
    """The trust root as Sigstore's Python client wants it."""
    config = {"mediaType": "application/vnd.dev.sigstore.clienttrustconfig.v0.1+json",
              "trustedRoot": json.loads(root.read_text(encoding="utf-8")),
              "signingConfig": {"mediaType": "application/vnd.dev.sigstore.signingconfig.v0.2+json"}}
    path.write_text(json.dumps(config), encoding="utf-8")
    return path


def make_verifier(folder):
    """Makes programs `sigstore` and `signing-authority` in a folder, and returns their server, which is to be closed. Both
    import for half a second, and a promotion verifies each signature."""
    forks = Forks("rich.console", "rich.logging", "rekor_types", "sigstore.sign", "sigstore.verify")
    forks.program(folder / "sigstore", Path(sys.executable).parent / "sigstore")
    forks.program(folder / "signing-authority", signing_authority.__file__)
    return forks
