"""`wheelrun release check`: a release against the set that the matrix declares."""

import base64
import json
import shutil

import pytest
from index_world import make_wheel, sha256
from json_schema import jsonschema
from release_world import FAMILY, ROCM, TAGS, combos, make_combo, make_release, make_sdist, versions
from wheelrun import ROOT, in_job, wheelrun

CP = "cp312-cp312-linux_x86_64"
LABEL = f"+rocm{ROCM}"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole")
    make_release(folder / "v2" / FAMILY)
    return folder


@pytest.fixture
def store(whole, tmp_path):
    """The same, as links that a test may remove."""
    shutil.copytree(whole, tmp_path / "store", copy_function=lambda a, b: shutil.os.link(a, b))
    return tmp_path / "store"


def released(store):
    return store / "v2" / FAMILY


def check(store, *more, job=None, env=None):
    words = ["release", "check", "--output-dir", store, "--release-type", "nightly", "--family", FAMILY, *more]
    return in_job(job or store.parent, *words, env=env)


def found(store, *more):
    """The kinds and messages of the findings."""
    done = check(store, *more, "--json", store.parent / "found.json")
    report = json.loads((store.parent / "found.json").read_text(encoding="utf-8"))
    assert report["whole"] == (done.status == 0), done.stdout
    for finding in report["findings"]:
        assert f"::{finding['message']}\n" in done.stdout, "an annotation of the run"
    return [(finding["kind"], finding["message"]) for finding in report["findings"]]


def wheel(store, project, torch="release/2.10", tag=CP):
    return released(store) / f"{project}-{versions(torch)[project]}-{tag}.whl"


def test_a_whole_release_is_whole(store):
    done = check(store, "--json", store.parent / "report.json")
    assert done.status == 0, done.stdout
    linux, windows = len(combos("linux")), len(combos("windows"))
    members = 5 * linux + 3 * windows + 7
    assert f"{FAMILY}, ROCm {ROCM} (nightly): whole, {members} of {members} members\n" in done.stdout
    assert "| linux | py312_torch210 | 5 of 5 | whole |\n" in done.summary
    report = json.loads((store.parent / "report.json").read_text(encoding="utf-8"))
    assert {"project": "rocm", "version": ROCM, "state": "there", "files": [f"rocm-{ROCM}.tar.gz"]} in report["members"]
    torch = [row for row in report["members"] if row["project"] == "torch" and row["python"] == "3.12"]
    assert len(torch) == 2 + 2 and all(len(row["files"]) == 1 for row in torch), "each combo has its own"
    optional = [row for row in report["members"] if row["project"].startswith("rocm-sdk-device-")]
    assert optional and all(row["state"] == "not built" for row in optional)


def test_platforms_are_checked_apart(store):
    for path in released(store).glob(f"*{TAGS['windows']}.whl"):
        path.unlink()
    assert check(store, "--platform", "linux").status == 0
    kinds = {kind for kind, _ in found(store, "--platform", "windows")}
    assert kinds == {"missing"}


def test_what_is_missing_is_named_with_what_is_there_instead(store):
    wheel(store, "torchvision").unlink()
    make_wheel(released(store), "torchvision", "0.25.0+rocm7.11.0", tag=CP)
    (combo,) = [key for key, value in combos("linux").items() if value == ("3.12", "release/2.10")]
    assert found(store) == [
        ("missing", f"torchvision for Python 3.12 on linux ({combo}) is missing: there is "
         f"torchvision-{versions('nightly')['torchvision']}-{CP}.whl")]


@pytest.mark.parametrize("name", ["rocm-*.tar.gz", "rocm_sdk_devel-*linux*", "rocm_sdk_libraries_*win*"])
def test_packages_of_rocm_belong_to_the_set(store, name):
    (path,) = released(store).glob(name)
    path.unlink()
    kinds = dict(found(store, "--rocm-version", ROCM))
    assert " is missing" in kinds["missing"]
    # torch asks for rocm[libraries]: without rocm it cannot be installed either.
    assert ("requirement" in kinds) == name.startswith("rocm-")


def test_wheels_that_do_not_belong_there(store):
    folder = released(store)
    make_wheel(folder, "torch", f"2.6.0{LABEL}", tag=CP)
    make_wheel(folder, "torch", versions("release/2.10")["torch"], tag="cp314-cp314-linux_x86_64")
    make_wheel(folder, "torch", versions("release/2.10")["torch"], tag="cp312-cp312-macosx_11_0_arm64")
    make_wheel(folder, "apex", versions("release/2.10")["apex"], tag="cp312-cp312-win_amd64")
    make_wheel(folder, "rocm-sdk-surprise", ROCM)
    make_wheel(folder, "torchaudio", "2.10.1", tag=CP)
    said = found(store)
    assert sorted(kind for kind, _ in said) == ["platform", "platform", "unexpected", "unexpected", "version", "version"]
    texts = "\n".join(message for _, message in said)
    # The ref that moves may be any version that no other ref has, but only one.
    assert f"torch for Python 3.12 on linux (py312_nightly) has several versions: 2.11.0a0{LABEL} and 2.6.0{LABEL}" in texts
    assert f"the matrix has no rocm-sdk-surprise for {FAMILY}" in texts
    assert f"no combo of {FAMILY} is for its Python" in texts
    assert "torchaudio-2.10.1-cp312-cp312-linux_x86_64.whl names no version of ROCm" in texts


def test_other_versions_of_rocm_are_other_sets(store):
    make_combo(released(store), "linux", "3.12", "release/2.10", "7.11.0a20260101")
    make_wheel(released(store), "torch", f"2.10.1+rocm{ROCM}.bkc.20260220", tag=CP)
    make_sdist(released(store), "rocm", "7.11.0a20260101")
    assert found(store) == []
    done = check(store, "--rocm-version", "7.11.0a20260101")
    assert done.status == 1 and f"{FAMILY}, ROCm 7.11.0a20260101 (nightly): " in done.stdout


def test_what_is_required_must_be_in_the_set(store):
    wheel(store, "torch").unlink()
    make_wheel(released(store), "torch", versions("release/2.10")["torch"], tag=CP, requires=[
        f"triton=={versions('release/2.10')['triton']}", "rocm[libraries,profiler]==7.12.0a20260219",
        "rocm-sdk-core==7.11.0", "numpy @ https://example.com/numpy.whl"])
    said = found(store, "--platform", "linux")
    assert [kind for kind, _ in said] == ["requirement", "extra", "requirement"]
    assert f"requires rocm-sdk-core==7.11.0: for Python 3.12 there is rocm-sdk-core {ROCM}" in said[0][1]
    assert said[1][1].endswith("but rocm has no extra 'profiler'")
    assert "numpy @ https://example.com/numpy.whl, which no index has" in said[2][1]


def test_extras_must_be_met_too(store):
    name = wheel(store, "torch").name
    metadata = released(store) / f"{name}.metadata"
    metadata.write_text(
        f"Metadata-Version: 2.1\nName: torch\nVersion: {versions('release/2.10')['torch']}\nProvides-Extra: device\n"
        f"Requires-Dist: rocm-sdk-device-gfx1153=={ROCM}; extra == 'device'\n\n", encoding="utf-8")
    assert found(store, "--platform", "linux") == [
        ("requirement", f"{name} requires rocm-sdk-device-gfx1153=={ROCM}: for Python 3.12 there is no "
         "rocm-sdk-device-gfx1153")]
    make_wheel(released(store), "rocm-sdk-device-gfx1153", ROCM, tag="py3-none-linux_x86_64")
    assert found(store, "--platform", "linux") == [], "a device package is a member where the build makes one"


def test_a_combo_that_was_held_leaves_as_a_whole(store):
    (combo,) = [key for key, value in combos("linux").items() if value == ("3.12", "nightly")]
    options = ("--platform", "linux", "--verdicts", f"{combo}=hold")
    assert found(store, *options) == [], "it was there before"
    for project in ("triton", "torch", "torchaudio", "torchvision"):
        wheel(store, project, "nightly").unlink()
    assert found(store, *options) != [], "apex alone is a part"
    wheel(store, "apex", "nightly").unlink()
    assert found(store, *options) == []
    done = check(store, *options)
    assert "1 combo left out" in done.stdout and f"{combo} | 0 of 5 | left out |" in done.summary
    assert {kind for kind, _ in found(store, "--platform", "linux", "--verdicts", f"{combo}=promote")} == {"missing"}
    make_wheel(released(store), "torch", versions("nightly")["torch"], tag=CP)
    assert "partial" in [kind for kind, _ in found(store, *options)]


def test_resolved_versions_are_compared_exactly(store):
    (combo,) = [key for key, value in combos("linux").items() if value == ("3.12", "release/2.10")]
    resolved = versions("release/2.10")
    assert found(store, "--platform", "linux", "--versions", json.dumps({combo: resolved})) == []
    other = {**resolved, "apex": f"1.11.0{LABEL}"}
    said = found(store, "--platform", "linux", "--versions", json.dumps({combo: other}))
    assert [kind for kind, _ in said] == ["missing", "version"]
    assert said[0][1].startswith(f"apex 1.11.0{LABEL} for Python 3.12 on linux ({combo}) is missing: there is apex-1.10.0")


def test_yanked_files_are_missing(store):
    name = wheel(store, "torchaudio").name
    (released(store) / "yanked.json").write_text(json.dumps({name: "broken"}), encoding="utf-8")
    ((kind, message),) = found(store)
    assert kind == "missing" and message.startswith("torchaudio for Python 3.12")


def test_what_is_staged_is_checked_with_what_is_released(store):
    staging = store / "v2-staging" / FAMILY
    staging.mkdir(parents=True)
    for path in released(store).glob("torch*"):
        path.rename(staging / path.name)
    assert check(store).status == 1
    assert check(store, "--staging").status == 0


@pytest.mark.parametrize(("words", "says"), [
    (["--verdicts", "py312_torch2100=hold"], "'--verdicts' names 'py312_torch2100', which is no combo of gfx1153"),
    (["--verdicts", "py312_torch210=maybe"], "'--verdicts' does not take 'py312_torch210=maybe'"),
    (["--versions", "[]"], "'--versions' takes a JSON object"),
    (["--versions", '{"a": {"torch": "x"}}'], "'--versions' has no version of 'torch' for 'a'"),
    (["--rocm-version", "new"], "'--rocm-version' does not take 'new'"),
    (["--set", "releases"], "no set of combos is called 'releases'"),
])
def test_wrong_input_is_refused(store, words, says):
    done = wheelrun("release", "check", "--output-dir", store, "--release-type", "nightly", "--family", FAMILY, *words)
    assert done.status == 2 and says in done.stderr, done.stderr


def test_an_empty_index_has_no_newest_version(tmp_path):
    done = wheelrun("release", "check", "--output-dir", tmp_path, "--release-type", "nightly", "--family", FAMILY)
    assert done.status == 2
    assert "'release check' needs '--rocm-version'" in done.stderr


RUN = {"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "ROCm/TheRock", "GITHUB_RUN_ID": "7",
       "GITHUB_RUN_ATTEMPT": "2", "GITHUB_TRIGGERING_ACTOR": "octocat"}


def record_of(store):
    return json.loads((released(store) / f"release-{ROCM}.json").read_text(encoding="utf-8"))


def sign(store, torch="release/2.10", **said):
    """The signed record of a build beside its wheels."""
    predicate = {"builder": {"id": "https://github.com/ROCm/TheRock/.github/workflows/x.yml@refs/heads/main"},
                 "run": "https://github.com/ROCm/TheRock/actions/runs/1/attempts/1",
                 "projects": {"torch": {"repository": "https://github.com/ROCm/pytorch", "commit": 40 * "a"}},
                 "tests": {FAMILY: "success"}, **said}
    statement = {"_type": "https://in-toto.io/Statement/v1", "subject": [],
                 "predicateType": "https://github.com/ROCm/wheelwright/build-record/v1", "predicate": predicate}
    payload = base64.b64encode(json.dumps(statement).encode()).decode()
    bundle = {"dsseEnvelope": {"payloadType": "application/vnd.in-toto+json", "payload": payload, "signatures": []}}
    for project in ("torch", "torchvision"):
        path = wheel(store, project, torch)
        path.with_name(f"{path.name}.record.sigstore.json").write_text(json.dumps(bundle), encoding="utf-8")


def test_a_whole_release_is_recorded(store):
    sign(store)
    done = check(store, "--record", env=RUN)
    assert done.status == 0, done.stdout
    record = record_of(store)
    jsonschema.validate(record, json.loads((ROOT / "docs/release-record.schema.json").read_text(encoding="utf-8")))
    linux = record["platforms"]["linux"]
    (torch,) = [row for row in linux["files"] if row["file"] == wheel(store, "torch").name]
    assert torch["size"] == wheel(store, "torch").stat().st_size
    assert torch["sha256"] == sha256(wheel(store, "torch"))
    (bundle,) = torch["attestations"]
    assert bundle["sha256"] == sha256(released(store) / bundle["file"])
    build = linux["builds"][torch["combo"]]
    assert build["projects"]["torch"]["commit"] == 40 * "a" and build["tests"] == {FAMILY: "success"}
    assert linux["recorded"] == {"at": linux["recorded"]["at"], "by": "octocat",
                                 "run": "https://github.com/ROCm/TheRock/actions/runs/7/attempts/2"}
    assert f"| linux | [{torch['combo']}](https://github.com/ROCm/TheRock/actions/runs/1/attempts/1) | aaaaaaaaaa | " \
           f"{FAMILY}: success | 5 |\n" in done.summary
    names = {row["file"] for part in record["platforms"].values() for row in part["files"]}
    assert names == {path.name for path in released(store).iterdir() if path.suffix in (".whl", ".gz")}


def test_platforms_are_recorded_by_their_own_jobs(store):
    assert check(store, "--record", "--platform", "linux").status == 0
    first = record_of(store)
    assert set(first["platforms"]) == {"linux"}
    assert check(store, "--record", "--platform", "windows").status == 0
    both = record_of(store)
    assert both["platforms"]["linux"] == first["platforms"]["linux"] and set(both["platforms"]) == {"linux", "windows"}


def test_what_is_not_whole_is_not_recorded(store):
    wheel(store, "torchvision").unlink()
    assert check(store, "--record").status == 1
    assert not (released(store) / f"release-{ROCM}.json").exists()
    done = check(store, "--record", "--staging")
    assert done.status == 2 and "'--record' and '--staging' exclude each other" in done.stdout


def test_a_record_of_a_newer_program_is_kept(store):
    path = released(store) / f"release-{ROCM}.json"
    path.write_text('{"format": 2, "platforms": {}}', encoding="utf-8")
    done = check(store, "--record")
    assert done.status == 1 and "a newer wheelrun may have written it" in done.stdout + done.stderr
    assert json.loads(path.read_text(encoding="utf-8"))["format"] == 2


@pytest.mark.parametrize("said", [{"tests": [1]}, {"run": 1}, {"projects": {"torch": "x"}}, {"projects": None}])
def test_a_signed_record_of_another_shape_is_no_crash(store, said):
    sign(store, **said)
    assert check(store, "--record").status == 0
