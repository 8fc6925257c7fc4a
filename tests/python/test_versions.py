"""Compares versions with Python's own rules: the table of the unit tests, and the suffixes that wheelrun computes."""

import itertools
from pathlib import Path

import pytest
from packaging.version import InvalidVersion, Version
from wheelrun import in_job, wheelrun

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "tests/cases/versions/ordered.txt"


def test_the_table_is_right():
    before = None
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        kind, spelling, normal = (line.split(" ") + [""])[:3]
        spelling = spelling.replace("~", " ")
        if kind == "!":
            with pytest.raises(InvalidVersion):
                Version(spelling)
            continue
        version = Version(spelling)
        assert str(version) == normal
        assert before is None or (version > before if kind == "<" else version == before), line
        before = version


def suffix(rocm, *options):
    done = wheelrun("version", "suffix", "--rocm-version", rocm, *options)
    assert done.status == 0, done.stderr
    assert done.outputs["rocm_requirement"] == f"=={Version(rocm)}"
    assert done.outputs["version_suffix"].count("+") == 1
    return done.outputs["version_suffix"]


@pytest.mark.parametrize(("rocm", "expected"), [
    ("7.10.0", "+rocm7.10.0"),
    ("7.10.0a20251124", "+rocm7.10.0a20251124"),
    ("7.10.0.dev0+EFED3C", "+devrocm7.10.0.dev0-efed3c"),
    ("7.0.0-rc1", "+rocm7.0.0rc1"),
    ("v7.1", "+rocm7.1"),
    ("07.01.0", "+rocm7.1.0"),
    ("10.1.0a20260811+bkc.20260813", "+rocm10.1.0a20260811-bkc.20260813"),
])  # fmt: skip
def test_the_compatible_form(rocm, expected):
    assert suffix(rocm) == expected
    Version("2.10.0" + expected)


def test_the_sortable_form_sorts_as_the_versions_of_rocm_do():
    rocm = ["7.9.0", "7.10.0.dev0", "7.10.0.dev0+0123abc", "7.10.0a20251124", "7.10.0a20251124+bkc.20251126",
            "7.10.0a20251125", "7.10.0rc1", "7.10.0rc2", "7.10", "7.10.0.post1", "7.10.1a20251201", "10.1.0.dev0",
            "10.1.0a20260811", "10.1.0"]  # fmt: skip
    assert rocm == sorted(rocm, key=Version)
    torch = [Version("2.10.0" + suffix(version, "--sortable")) for version in rocm]
    for (i, a), (j, b) in itertools.product(enumerate(torch), repeat=2):
        assert (a < b) == (i < j), (a, b)
    # https://github.com/ROCm/TheRock/issues/7183, the reason for the other form.
    assert Version("2.10.0" + suffix("10.1.0")) < Version("2.10.0" + suffix("7.10.0"))
    # Wheels in the new form are upgrades of all in the old one.
    assert Version("2.10.0" + suffix("9.9.9")) < min(torch)


def test_pip_takes_the_one_with_the_newer_rocm(tmp_path):
    """The version that pip itself chooses among files in a folder."""
    import subprocess
    import sys
    import zipfile

    versions = ["2.10.0" + suffix(rocm, "--sortable") for rocm in ("7.10.0", "10.1.0", "10.1.0a20260811", "9.0.dev0")]
    for version in versions:
        with zipfile.ZipFile(tmp_path / f"torch-{version}-py3-none-any.whl", "w") as archive:
            archive.writestr(f"torch-{version}.dist-info/METADATA",
                             f"Metadata-Version: 2.1\nName: torch\nVersion: {version}\n")
            archive.writestr(f"torch-{version}.dist-info/WHEEL",
                             "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            archive.writestr(f"torch-{version}.dist-info/RECORD", "")
    done = subprocess.run(
        [sys.executable, "-m", "pip", "download", "--no-index", "--find-links", tmp_path, "--dest", tmp_path / "got",
         "--disable-pip-version-check", "torch"], capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert [path.name for path in (tmp_path / "got").iterdir()] == [f"torch-{versions[1]}-py3-none-any.whl"]


def test_suffixes_that_cannot_be():
    done = wheelrun("version", "suffix", "--rocm-version", "1!7.0")
    assert done.status == 2
    assert done.stderr == ("error[version-suffix]: 1!7.0 has no suffix\n"
                           "   = a local label cannot contain an epoch\n")
    done = wheelrun("version", "suffix", "--rocm-version", "7.0rc1.dev2", "--sortable")
    assert done.status == 2
    assert done.stderr == ("error[version-suffix]: 7.0rc1.dev2 has no sortable suffix\n"
                           "   = it can contain only one of a pre-, post- and development release\n")
    done = wheelrun("version", "suffix", "--rocm-version", "gfx942")
    assert done.status == 2
    assert done.stderr == ("error[option-value]: '--rocm-version' does not take 'gfx942'\n"
                           "   = it takes a version such as 7.10.0 or 7.10.0a20251124\n")


SHA = "0123456789ABCDEF0123456789abcdef01234567"


@pytest.mark.parametrize(("words", "expected"), [
    (["--release-type", "nightly"], ("7.10.0a20251124", "7.10.0~20251124", "7.10.0~20251124")),
    (["--release-type", "ci"],
     (f"7.10.0.dev0+{SHA.lower()}", "7.10.0~dev20251124", "7.10.0~20251124g01234567")),
    (["--release-type", "prerelease", "--prerelease-version", "2"], ("7.10.0rc2", "7.10.0~pre2", "7.10.0~rc2")),
    (["--release-type", "release"], ("7.10.0", "7.10.0", "7.10.0")),
    (["--release-type", "nightly-bkc"],
     ("7.10.0a20251120+bkc.20251124", "7.10.0~20251120.bkc.20251124", "7.10.0~20251120.bkc.20251124")),
    (["--custom-version-suffix", ".dev0+mine"], ("7.10.0.dev0+mine",) * 3),
    (["--release-type", "release", "--override-base-version", "8.0.0"], ("8.0.0",) * 3),
])  # fmt: skip
def test_versions_of_rocm_packages(tmp_path, words, expected):
    (tmp_path / "version.json").write_text(
        '{"rocm-version": "7.10.0", "release-metadata": {"base-date": "20251120"}}')
    done = in_job(tmp_path, "version", "rocm", "--date", "20251124", *words, cwd=tmp_path, env={"GITHUB_SHA": SHA})
    assert done.status == 0, done.stdout + done.stderr
    wheel, deb, rpm = expected
    assert done.outputs == {"rocm_version": wheel, "rocm_package_version": wheel, "rocm_deb_package_version": deb,
                            "rocm_rpm_package_version": rpm}
    assert str(Version(wheel)) == wheel


def test_a_commit_that_is_given_wins(tmp_path):
    done = wheelrun("version", "rocm", "--release-type", "dev", "--override-git-sha", "f" * 40,
                    "--override-base-version", "7.10.0", cwd=tmp_path, env={"GITHUB_SHA": SHA})
    assert done.outputs["rocm_version"] == "7.10.0.dev0+" + "f" * 40


@pytest.mark.parametrize(("text", "message"), [
    (None, "error[version-file]: there is no version.json\n"
           "   = give --override-base-version, or --root with the folder of ROCm's sources\n"),
    ("[]", "error[version-file]: version.json is no JSON object\n"
           "   = expected one with the version as rocm-version\n"),
    ("{}", "error[version-part]: every release needs the base version\n   = expected numbers such as 7.10.0\n"),
])  # fmt: skip
def test_version_files_that_do_not_help(tmp_path, text, message):
    if text is not None:
        (tmp_path / "version.json").write_text(text)
    done = wheelrun("version", "rocm", "--release-type", "release", cwd=tmp_path)
    assert done.status == 2
    assert done.stderr == message
