"""`wheelrun verify` and `promote`: signatures of an authority of the tests, judged by Sigstore's own client; each forgery
is refused with its reason."""

import base64
import copy
import json
import os
import shutil

import pytest
import signing_authority
from attested_world import (COMMIT, FAMILY, JOB, RECORD, SIGNER, VERSION, attest, client_config, make_verifier,
                            make_wheels, read, sign, sums)
from index_world import make_wheel, served, sha256
from pypi_attestations import Attestation, Distribution, GitHubPublisher, Provenance
from pypi_attestations import _impl as theirs
from sigstore.models import ClientTrustConfig
from sigstore.verify import Verifier
from wheelrun import PLAN, in_job, wheelrun

TORCH = f"torch-{VERSION}-py3-none-any.whl"
SIGNED_BY = ["--repository", "ROCm/TheRock", "--signer", SIGNER]


class Signed:
    """The wheels of a build with their signed attestations, and a plan that demands them."""

    def __init__(self, folder):
        self.folder = folder
        self.dist = make_wheels(folder / "dist")
        self.out = folder / "attestations"
        self.authority = signing_authority.Authority()
        self.root = client_config(self.authority.trusted_root(folder), folder / "trust.json")
        self.more = ["--test-results", "gfx94X-dcgpu=success", "--rocm-version", "7.12.0a20260219"]
        assert attest(folder, self.dist, self.out, *self.more).status == 0
        sign(self.authority, self.out)
        plan = read(PLAN)
        plan["signers"] = {"nightly": {"workflow": SIGNER, "repository": None, "branches": ["main"]}}
        (folder / "plan.json").write_text(json.dumps(plan))
        self.env = {"WHEELRUN_PLAN": str(folder / "plan.json"), "WHEELRUN_TRUST_ROOT": str(self.root),
                    "PATH": f"{folder}/bin:{os.environ['PATH']}"}
        (folder / "bin").mkdir()
        self.server = make_verifier(folder / "bin")

    def verify(self, *more, wheel=None, out=None, of=SIGNED_BY):
        return wheelrun("verify", wheel or self.dist / TORCH, "--attestations", out or self.out, *of, *more,
                        env=self.env)

    def copy(self, folder):
        """Other attestations of the same wheels, to be forged."""
        return shutil.copytree(self.out, folder / "forged")


@pytest.fixture(scope="module")
def signed(tmp_path_factory):
    made = Signed(tmp_path_factory.mktemp("signed"))
    yield made
    made.server.close()


def edit(path, change):
    bundle = read(path)
    change(bundle)
    path.write_text(json.dumps(bundle))


def test_a_good_wheel_says_who_built_it_from_what_and_how_it_was_tested(signed):
    done = signed.verify()
    assert done.status == 0, done.stdout + done.stderr
    for line in (TORCH, f"signed by   https://github.com/ROCm/TheRock/{SIGNER}@refs/heads/main",
                 f"commit      {COMMIT} of ROCm/TheRock, refs/heads/main", f"torch: {'a' * 40} of https://github.com/ROCm",
                 "ROCm        7.12.0a20260219", "tests       success gfx94X-dcgpu",
                 "verified: signature, certificate, log entry, signer and digest"):
        assert line in done.stdout, done.stdout


def test_json_of_a_url_and_the_policy_of_the_matrix(signed, tmp_path):
    site = shutil.copytree(signed.out, tmp_path / "site")
    shutil.copy(signed.dist / TORCH, site)
    with served(site) as web:
        url = f"{web.url}/{TORCH.replace('+', '%2B')}"
        done = wheelrun("verify", url, "--release-type", "nightly", "--json", env=signed.env)
        assert done.status == 0, done.stdout + done.stderr
        said = json.loads(done.stdout)
        assert said["verified"] and said["sha256"] == sha256(signed.dist / TORCH) and said["event"] == "schedule"
        assert said["record"] == read(signed.out / "record.json")
        none = wheelrun("verify", f"{web.url}/none.whl", "--release-type", "nightly", env=signed.env)
        assert none.status == 1 and "the server answered 404" in none.stderr


def payload(change):
    """Changes the statement that is signed, and leaves the signature."""
    def forge(bundle):
        statement = json.loads(base64.b64decode(bundle["dsseEnvelope"]["payload"]))
        change(statement)
        bundle["dsseEnvelope"]["payload"] = base64.b64encode(json.dumps(statement).encode()).decode()
    return forge


def entry(bundle):
    return bundle["verificationMaterial"]["tlogEntries"][0]


# Each: how the provenance is signed anew (None: not), how its bundle is changed, and the reason.
FORGERIES = {
    "forged statement": (None, payload(lambda s: s["predicate"]["runDetails"].update(metadata={})),
                         "is not valid: DSSE: invalid signature"),
    "forged digest": (None, payload(lambda s: s["subject"][0]["digest"].update(sha256="0" * 64)),
                      "is of other bytes: of SHA-256"),
    "expired certificate": ({"late": 3600}, None, "cert is not valid at validation time"),
    "another authority": ({"authority": True}, None, "A certificate chain was not valid"),
    "a log entry that is not there": (None, lambda b: entry(b)["inclusionProof"].update(hashes=[signing_authority.b64(b"x" * 32)]),
                                      "is not valid:"),
    "no log entry": (None, lambda b: b["verificationMaterial"].update(tlogEntries=[]), "expected exactly one log entry"),
    "another log": ({"log": True}, None, "checkpoint: invalid signature"),
    "an entry of another bundle": ({"entry": True}, None, "log entry payload hash does not match bundle"),
    "another workflow": ({"workflow": ".github/workflows/ci.yml"}, None, "Certificate's SANs do not match"),
    "another repository": ({"repository": "evil/TheRock", "signer_repository": "ROCm/TheRock"}, None,
                           "Certificate's GitHubWorkflowRepository does not match"),
    "another commit": ({"commit": "d" * 40}, None, "Certificate's GitHubWorkflowSHA does not match"),
    "a pull request": ({"event": "pull_request"}, None, "Certificate's GitHubWorkflowTrigger does not match"),
    "no bundle": (None, b"", "is no bundle of Sigstore"),
    "endless lists": (None, b"[" * (4 << 20), "is no bundle of Sigstore: it is no JSON object"),
    "deep statement": (None, lambda b: b["dsseEnvelope"].update(payload=base64.b64encode(
        b'{"_type":"https://in-toto.io/Statement/v1","predicate":' + b"[" * (1 << 20) + b"]" * (1 << 20) + b"}").decode()),
                       "what it signs is no in-toto statement"),
    "missing bundle": (None, "missing", f"it is not attested: there is no {TORCH}.provenance.sigstore.json; run the job"),
}


def sign_anew(signed, path, how):
    authority, said = copy.copy(signed.authority), signing_authority.claims(**{
        "commit": COMMIT, **{k: v for k, v in how.items() if k not in ("late", "authority", "log", "entry")}})
    if "authority" in how:
        authority = signing_authority.Authority()
    if "log" in how:
        authority.keys = {**authority.keys, "rekor": signing_authority.Authority().keys["rekor"]}
    subjects = {TORCH: sha256(signed.dist / TORCH)}
    bundle = authority.sign(subjects, signing_authority.PROVENANCE, read(signed.out / "torch/provenance.json"), said,
                            how.get("late", 0))
    if "entry" in how:
        other = authority.sign(subjects, RECORD, {}, said)
        bundle["verificationMaterial"]["tlogEntries"] = other["verificationMaterial"]["tlogEntries"]
    path.write_text(json.dumps(bundle))


@pytest.mark.parametrize("name", FORGERIES)
def test_forgeries_are_refused_with_their_reason(signed, tmp_path, name):
    anew, change, reason = FORGERIES[name]
    out = signed.copy(tmp_path)
    path = out / f"{TORCH}.provenance.sigstore.json"
    if anew is not None:
        sign_anew(signed, path, anew)
    if change == "missing":
        path.unlink()
    elif isinstance(change, bytes):
        path.write_bytes(change)
    elif change is not None:
        edit(path, change)
    done = signed.verify("--json", out=out)
    said = json.loads(done.stdout)
    assert done.status == 1 and not said["verified"] and reason in done.stderr, done.stderr
    assert "run" in said["next"]


# What a bundle says honestly, and the policy does not allow.
@pytest.mark.parametrize("changed, reason", [
    ({"GITHUB_REPOSITORY": "evil/TheRock"}, "it is from the repository 'evil/TheRock', not ROCm/TheRock"),
    ({"GITHUB_REF": "refs/heads/try"}, "it is of the ref 'refs/heads/try', and only main may be published"),
    ({"GITHUB_EVENT_NAME": "pull_request"}, "its run was started by 'pull_request'"),
    ({"signer": ".github/workflows/ci.yml"}, f"is signed by 'https://github.com/ROCm/TheRock/.github/workflows/ci.yml"),
    ({"GITHUB_SHA": "d" * 40}, f"it is of the commit '{'d' * 40}', not {COMMIT}"),
])
def test_the_policy_decides_whose_signature_counts(signed, tmp_path, changed, reason):
    signer = changed.get("signer", SIGNER)
    env = {**JOB, **{k: v for k, v in changed.items() if k != "signer"}}
    done = in_job(tmp_path, "attest", signed.dist, "--output-dir", tmp_path / "out", "--signer", signer, env=env)
    assert done.status == 0, done.stdout
    sign(signed.authority, tmp_path / "out", repository=env["GITHUB_REPOSITORY"], ref=env["GITHUB_REF"],
         event=env["GITHUB_EVENT_NAME"], workflow=signer, commit=env["GITHUB_SHA"])
    done = signed.verify("--commit", COMMIT, out=tmp_path / "out", of=["--release-type", "nightly"])
    assert done.status == 1 and reason in done.stderr, done.stderr


def test_bundles_of_another_wheel_are_refused(signed, tmp_path):
    out = signed.copy(tmp_path)
    vision = next(name for name in sums(signed.dist) if name.startswith("torchvision"))
    shutil.copy(out / f"{vision}.provenance.sigstore.json", out / f"{TORCH}.provenance.sigstore.json")
    done = signed.verify(out=out)
    assert done.status == 1 and f"is of another wheel: '{vision}'" in done.stderr, done.stderr
    shutil.copy(out / f"{TORCH}.record.sigstore.json", out / f"{TORCH}.provenance.sigstore.json")
    done = signed.verify(out=out)
    assert done.status == 1 and f"attests '{RECORD}', not {signing_authority.PROVENANCE}" in done.stderr, done.stderr


def test_what_the_verifier_needs_is_said(signed, tmp_path):
    done = wheelrun("verify", signed.dist / TORCH, *SIGNED_BY, env={**signed.env, "PATH": "/nonexistent"})
    assert done.status == 1 and "`pip install sigstore`" in done.stderr, done.stderr
    done = signed.verify("--trust-root", tmp_path / "none.json")
    assert done.status == 1 and "give the file of the trust root" in done.stderr
    done = signed.verify(of=[])
    assert done.status == 2 and "whose it has to be" in done.stderr
    done = signed.verify(of=["--release-type", "dev"])
    assert done.status == 2 and "error[attest-input]: the matrix names no signer for 'dev'" in done.stderr, done.stderr


# ---- Promotion ----------------------------------------------------------------------------------


def promote(signed, folder, store, *more, out=None, env=None):
    env = {**JOB, **(env or signed.env)}
    return in_job(folder, "promote", "--platform", "linux", "--family", FAMILY, "--output-dir", store, "--release-type",
                  "nightly", "--wheels", json.dumps(sums(signed.dist)), "--build-result", "success", "--test-results",
                  f"{FAMILY}=success", "--attestations", out or signed.out, *more, env=env)


@pytest.fixture
def store(signed, tmp_path):
    staging = tmp_path / "store/v2-staging" / FAMILY
    staging.mkdir(parents=True)
    for path in signed.dist.glob("*.whl"):
        shutil.copy(path, staging)
    rocm = tmp_path / "store/v2" / FAMILY
    make_wheel(rocm, "rocm", "7.12.0a20260219")
    return tmp_path / "store"


def test_promotion_publishes_what_it_verified_and_the_index_serves_it(signed, tmp_path, store):
    done = promote(signed, tmp_path, store)
    assert done.status == 0, done.stdout + done.stderr
    assert "Signed by https://github.com/ROCm/TheRock/" in done.summary
    folder = store / "v2" / FAMILY
    for name in sums(signed.dist):
        for suffix in (".provenance.sigstore.json", ".record.sigstore.json", ".cdx.json"):
            assert read(folder / (name + suffix)) == read(signed.out / (name + suffix))
    page = read(folder / "torch/index.v1.json")
    assert page["meta"]["api-version"] == "1.3"
    (file,) = page["files"]
    url = f"https://rocm.nightlies.amd.com/v2/{FAMILY}/{TORCH.replace('+', '%2B')}.provenance"
    assert file["provenance"] == url
    html = (folder / "torch/index.html").read_text()
    assert f'data-provenance="{url}"' in html and 'content="1.3"' in html
    # Another's reader of PEP 740, with the same authority, agrees.
    provenance = Provenance.model_validate_json((folder / f"{TORCH}.provenance").read_text())
    (bundle,) = provenance.attestation_bundles
    assert isinstance(bundle.publisher, GitHubPublisher)
    (attestation,) = bundle.attestations
    dist = Distribution(name=TORCH, digest=sha256(signed.dist / TORCH))
    trust = ClientTrustConfig.from_json(signed.root.read_text())
    verifier = Verifier(trusted_root=trust.trusted_root)
    original = theirs.Verifier.production
    theirs.Verifier.production = lambda *_, **__: verifier
    try:
        kind, _ = Attestation.verify(attestation, bundle.publisher, dist, offline=True)
    finally:
        theirs.Verifier.production = original
    assert kind == signing_authority.PROVENANCE
    again = promote(signed, tmp_path, store)
    assert again.status == 0, again.stderr


def counted(signed, folder):
    """A verifier that notes each of its starts, and the variables to find it."""
    program = folder / "bin/sigstore"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$*" >> "{folder}/starts"\nexec "{signed.folder}/bin/sigstore" "$@"\n')
    program.chmod(0o755)
    return {**signed.env, "PATH": f"{program.parent}:{signed.env['PATH']}"}


def test_the_record_of_a_build_is_verified_once_for_all_of_its_wheels(signed, tmp_path, store):
    done = promote(signed, tmp_path, store, env=counted(signed, tmp_path))
    assert done.status == 0, done.stdout + done.stderr
    starts = (tmp_path / "starts").read_text().splitlines()
    assert len(starts) == len(sums(signed.dist)) + 1
    assert sum(".record.sigstore.json" in line for line in starts) == 1


def test_what_is_published_is_what_was_verified(signed, tmp_path, store):
    """Readers differ in which of two members of one name they take: a bundle that is published has no such pair."""
    out = signed.copy(tmp_path)
    path = out / f"{TORCH}.record.sigstore.json"
    other = json.dumps({"payloadType": "application/vnd.in-toto+json", "payload": "e30=", "signatures": []})
    genuine = path.read_text()
    path.write_text('{"dsseEnvelope":' + other + "," + genuine[1:])
    done = promote(signed, tmp_path, store, out=out)
    published = (store / "v2" / FAMILY / path.name).read_text()
    assert done.status == 0 and json.loads(published) == json.loads(genuine) and published.count("dsseEnvelope") == 1
    path.write_text(genuine[:genuine.rindex("}")] + ',"dsseEnvelope":' + other + "}")
    done = promote(signed, tmp_path, store, out=out)
    assert done.status == 1 and "is no bundle of Sigstore" in done.stdout


def test_promotion_refuses_before_anything_is_published(signed, tmp_path, store):
    before = sorted(store.rglob("*"))
    out = signed.copy(tmp_path)
    (out / f"{TORCH}.cdx.json").write_text("{}")
    done = promote(signed, tmp_path, store, out=out)
    assert done.status == 1 and "is not the one that was attested" in done.stdout + done.stderr, done.stdout
    (out / f"{TORCH}.record.sigstore.json").unlink()
    done = promote(signed, tmp_path, store, out=out)
    assert done.status == 1 and "it is not attested: there is no" in done.stdout and "Refused: " in done.summary
    done = promote(signed, tmp_path, store, "--commit", "d" * 40)
    assert done.status == 1 and f"it is of the commit '{COMMIT}', not {'d' * 40}" in done.stdout + done.stderr
    assert sorted(store.rglob("*")) == before


def test_a_dry_run_verifies_and_writes_nothing(signed, tmp_path, store):
    before = sorted(store.rglob("*"))
    done = promote(signed, tmp_path, store, "--dry-run")
    assert done.status == 0 and "verified 2 wheels: signed by" in done.stdout, done.stdout + done.stderr
    assert sorted(store.rglob("*")) == before
