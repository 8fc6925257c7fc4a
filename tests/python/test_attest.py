"""`wheelrun attest`: what is attested of wheels, judged by other people's schemas and readers."""

import hashlib
import json
import subprocess
import sys

import jsonschema
import pytest
import signing_authority
from attested_world import COMMIT, JOB, RECORD, SIGNER, VERSION, attest, make_wheels, read, sums
from cyclonedx.model.bom import Bom
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from hip_tools import compile_object, link, wheel
from wheelrun import ROOT, wheelrun

TORCH = f"torch-{VERSION}-py3-none-any.whl"


@pytest.fixture(scope="module")
def attested(tmp_path_factory):
    folder = tmp_path_factory.mktemp("attested")
    dist = make_wheels(folder / "dist")
    event = folder / "event.json"
    event.write_text(json.dumps({"inputs": {"release_type": "nightly"}}))
    report = folder / "canaries.json"
    report.write_text(json.dumps({"good": True, "compiler": "AMD clang 20.0", "pairs": [
        {"source": "a.hip", "target": "gfx942", "status": "pass"},
        {"source": "b.hip", "target": "gfx942", "status": "pass"},
        {"source": "c.hip", "target": "gfx942", "status": "expected fail"}]}))
    done = attest(folder, dist, folder / "out", "--platform", "linux", "--wheels", json.dumps(sums(dist)),
                  "--rocm-version", "7.12.0a20260219", "--compile-report", report,
                  "--test-results", "gfx94X-dcgpu=success", env={"GITHUB_EVENT_PATH": str(event)})
    assert done.status == 0, done.stderr
    assert done.outputs["record_type"] == RECORD and TORCH in done.summary
    return folder


def test_statements_are_of_the_wheels_and_the_run(attested):
    statement = read(attested / "out/torch/provenance.statement.json")
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    assert statement["subject"] == [{"name": TORCH, "digest": {"sha256": sums(attested / "dist")[TORCH]}}]
    assert statement["predicateType"] == "https://slsa.dev/provenance/v1"
    assert statement["predicate"] == read(attested / "out/torch/provenance.json")
    definition, details = statement["predicate"]["buildDefinition"], statement["predicate"]["runDetails"]
    assert definition["externalParameters"] == {
        "workflow": {"ref": "refs/heads/main", "repository": "https://github.com/ROCm/TheRock",
                     "path": ".github/workflows/release_linux_pytorch_wheels_gfx94X-dcgpu.yml"},
        "inputs": {"release_type": "nightly"}}
    first, *others = definition["resolvedDependencies"]
    assert first == {"uri": "git+https://github.com/ROCm/TheRock@refs/heads/main", "digest": {"gitCommit": COMMIT}}
    assert {one["name"]: one["digest"]["gitCommit"] for one in others} == {"torch": "a" * 40, "torchvision": "b" * 40}
    assert details["builder"]["id"] == f"https://github.com/ROCm/TheRock/{SIGNER}@refs/heads/main"
    assert details["metadata"]["invocationId"].endswith("/actions/runs/19000000001/attempts/1")
    assert (attested / "out/torch/subject.txt").read_text() == f"{sums(attested / 'dist')[TORCH]}  {TORCH}\n"


def test_the_record_fits_its_schema(attested):
    schema = read(ROOT / "docs/build-record.schema.json")
    jsonschema.Draft202012Validator.check_schema(schema)
    record = read(attested / "out/record.json")
    jsonschema.validate(record, schema)
    assert record["rocm"] == "7.12.0a20260219" and record["compiler"] == "AMD clang 20.0"
    assert record["canaries"] == {"pass": 2, "expected fail": 1} and record["tests"] == {"gfx94X-dcgpu": "success"}
    assert {wheel["project"]: wheel["sha256"] for wheel in record["wheels"]} == {
        name.split("-")[0]: digest for name, digest in sums(attested / "dist").items()}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**record, "extra": 1}, schema)


def test_bills_of_materials_are_valid_and_are_named_by_the_record(attested):
    text = (attested / f"out/{TORCH}.cdx.json").read_text()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    bill = Bom.from_json(json.loads(text))
    self = bill.metadata.component
    assert (self.name, self.version) == ("torch", VERSION)
    assert str(self.purl) == f"pkg:pypi/torch@{VERSION.replace('+', '%2B')}"
    assert [one.uid for one in self.pedigree.commits] == ["a" * 40]
    needs = {one.name: one.version for one in bill.components}
    assert needs == {"rocm": "7.12.0a20260219", "sympy": None, "numpy": None}
    (entry,) = [one for one in read(attested / "out/record.json")["wheels"] if one["file"] == TORCH]
    assert entry["bill_of_materials"]["sha256"] == hashlib.sha256(text.encode()).hexdigest()


def test_a_report_of_canaries_is_not_believed_to_have_a_form(attested, tmp_path):
    report = tmp_path / "report.json"
    report.write_text(json.dumps({"compiler": {"x": 1}, "pairs": [7, {"status": 3}, {"status": "fine"}, {"status": "pass"}]}))
    done = attest(tmp_path, attested / "dist", tmp_path / "out", "--compile-report", report)
    assert done.status == 0, done.stdout
    record = read(tmp_path / "out/record.json")
    assert record["canaries"] == {"pass": 1, "unknown": 3} and "compiler" not in record


def test_targets_are_those_of_the_code_inside(tmp_path):
    made = tmp_path / "made"
    made.mkdir()
    link(made, "libx.so", [compile_object(made, "a", ["gfx942", "gfx90a:xnack-"])])
    dist = make_wheels(tmp_path / "dist")
    for path in dist.glob("*.whl"):
        path.unlink()
    path = wheel(dist, {"torch/lib/libx.so": (made / "libx.so").read_bytes()})
    done = attest(tmp_path, dist, tmp_path / "out")
    assert done.status == 0, done.stderr
    (entry,) = read(tmp_path / "out/record.json")["wheels"]
    assert entry["file"] == path.name and sorted(entry["targets"]) == ["gfx90a:xnack-", "gfx942"]


def test_the_same_wheels_give_the_same_bytes(attested, tmp_path):
    out = [tmp_path / "a", tmp_path / "b"]
    for folder in out:
        assert attest(tmp_path, attested / "dist", folder).status == 0
    read_all = [{path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
                for folder in out]
    assert read_all[0] == read_all[1]


@pytest.mark.parametrize("case, says", [
    ("no manifest", "error[attest-input]: there is no manifest in"),
    ("no wheel", "there is no wheel in"),
    ("two wheels", "is a second wheel of torch"),
    ("broken wheel", "cannot be read"),
    ("other wheel", "is not what was uploaded: its SHA-256 is"),
    ("more wheels", "was not uploaded"),
    ("no run", "the variable GITHUB_RUN_ID is not set"),
    ("no report", "is no report"),
])
def test_what_is_incomplete_is_not_attested(tmp_path, case, says):
    dist, more, env = make_wheels(tmp_path / "dist"), [], {}
    have = sums(dist)
    if case == "no manifest":
        next((dist / "manifests").iterdir()).unlink()
    elif case == "no wheel":
        for path in dist.glob("*.whl"):
            path.unlink()
    elif case == "two wheels":
        make_wheels(tmp_path / "more")
        (dist / TORCH).rename(dist / TORCH.replace("2.10", "2.9"))
        (tmp_path / "more" / TORCH).rename(dist / TORCH)
    elif case == "broken wheel":
        (dist / TORCH).write_bytes(b"no zip")
    elif case == "other wheel":
        more = ["--platform", "linux", "--wheels", json.dumps({**have, TORCH: "0" * 64})]
    elif case == "more wheels":
        more = ["--platform", "linux", "--wheels", json.dumps({TORCH: have[TORCH]})]
    elif case == "no run":
        env = {"GITHUB_RUN_ID": ""}
    elif case == "no report":
        more = ["--compile-report", dist / TORCH]
    done = wheelrun("attest", dist, "--output-dir", tmp_path / "out", "--signer", SIGNER, *more, env={**JOB, **env})
    assert done.status == 2 and says in done.stdout + done.stderr, done.stdout + done.stderr
    assert not (tmp_path / "out").exists()


def test_bundles_are_collected_by_their_subjects(attested, tmp_path):
    out = tmp_path / "out"
    attest(tmp_path, attested / "dist", out)
    bundles = []
    for subjects, kind, predicate in (("torch/subject.txt", signing_authority.PROVENANCE, "torch/provenance.json"),
                                      ("torchvision/subject.txt", signing_authority.PROVENANCE,
                                       "torchvision/provenance.json"), ("subjects.txt", RECORD, "record.json")):
        path = tmp_path / f"{len(bundles)}.json"
        done = subprocess.run([sys.executable, signing_authority.__file__, tmp_path / "keys", "sign", "--subjects",
                               out / subjects, "--predicate-type", kind, "--predicate", out / predicate],
                              capture_output=True, text=True, check=True)
        path.write_text(done.stdout)
        bundles.append(str(path))
    part = wheelrun("attest", "collect", out, "--bundles", " ".join(bundles[:2]), env=JOB)
    assert part.status == 1 and "no bundle .record.sigstore.json is of" in part.stderr
    done = wheelrun("attest", "collect", out, "--bundles", " ".join(bundles), env=JOB)
    assert done.status == 0 and "4 bundles of 2 wheels" in done.stdout + done.stderr, done.stderr
    assert read(out / f"{TORCH}.provenance.sigstore.json") == json.loads((tmp_path / "0.json").read_text())
    wrong = wheelrun("attest", "collect", out, "--bundles", out / "record.json", env=JOB)
    assert wrong.status == 1 and "is no bundle" in wrong.stderr
