"""A second opinion on attestations: the verifier in Go that GitHub's client is built on judges as Sigstore's in Python."""

import json
import subprocess

import pytest
from attested_world import SIGNER
from index_world import sha256
from test_verify import FORGERIES, TORCH, Signed, edit, sign_anew
from wheelrun import ROOT

VERIFIER = ROOT / ".tools/bin/sigstore-go-verification"
SAN = f"https://github.com/ROCm/TheRock/{SIGNER}@refs/heads/main"
# It compares the signer and the digest with the certificate, and no other claim of the run.
NOT_COMPARED = {"another repository", "another commit", "a pull request"}
# There is nothing that it could read.
NO_BUNDLE = {"no bundle", "endless lists", "missing bundle"}


@pytest.fixture(scope="module")
def signed(tmp_path_factory):
    return Signed(tmp_path_factory.mktemp("signed"))


def verified(signed, bundle, digest):
    root = json.loads(signed.root.read_text())["trustedRoot"]
    path = bundle.parent / "root.json"
    path.write_text(json.dumps(root))
    done = subprocess.run(
        [VERIFIER, "-trustedrootJSONpath", path, "-artifact-digest", digest, "-expectedSAN", SAN, "-expectedIssuer",
         "https://token.actions.githubusercontent.com", bundle], text=True, capture_output=True)
    return done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("kind", ["provenance", "record"])
def test_what_we_accept_is_accepted(signed, tmp_path, kind):
    bundle = signed.copy(tmp_path) / f"{TORCH}.{kind}.sigstore.json"
    good, said = verified(signed, bundle, sha256(signed.dist / TORCH))
    assert good, said
    assert not verified(signed, bundle, "0" * 64)[0]


@pytest.mark.parametrize("name", sorted(set(FORGERIES) - NO_BUNDLE))
def test_what_we_refuse_is_refused(signed, tmp_path, name):
    anew, change, _ = FORGERIES[name]
    path = signed.copy(tmp_path) / f"{TORCH}.provenance.sigstore.json"
    if anew is not None:
        sign_anew(signed, path, anew)
    if change is not None:
        edit(path, change)
    good, said = verified(signed, path, sha256(signed.dist / TORCH))
    assert good == (name in NOT_COMPARED), said
