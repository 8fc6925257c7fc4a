"""What shared objects in wheels need, against what the platform tag promises: compared with auditwheel.

The compiler of the machine links them against stub libraries, so that any versions can be needed.
"""

import json
import subprocess
import zipfile

import pytest
from auditwheel.architecture import Architecture
from auditwheel.libc import Libc
from auditwheel.policy import WheelPolicies
from auditwheel.wheel_abi import analyze_wheel_abi
from test_wheel_check import FILES, INFO, pack
from wheelrun import PLAN, wheelrun

POLICIES = [policy for policy in WheelPolicies(libc=Libc.GLIBC, arch=Architecture.x86_64)
            if policy.name != "linux_x86_64"]
LIBC, CXX, GCC, ZLIB = "libc.so.6", "libstdc++.so.6", "libgcc_s.so.1", "libz.so.1"


def linked(folder, name, needs=(), flags=(), compiler="gcc", stubs=None):
    """A shared object that needs versions of libraries: {"libc.so.6": ["GLIBC_2.28"]}. None: without a version."""
    stubs = stubs or make_stubs(folder, needs)
    write_source(folder, needs)
    out = folder / name
    subprocess.run([compiler, "-shared", "-fPIC", "-nostdlib", "-o", out, folder / "core.c",
                    *[stubs / library for library in dict(needs)], *flags], check=True)
    return out.read_bytes()


def function_of(library, version):
    return f"need_{abs(hash((library, version)))}"


def make_stubs(folder, needs):
    """A folder with stubs of libraries that have these versions."""
    stubs = folder / "stubs"
    stubs.mkdir(parents=True, exist_ok=True)
    for library, versions in dict(needs).items():
        functions = {function_of(library, version): version for version in versions}
        (stubs / "stub.c").write_text("".join(f"void {function}(void) {{}}\n" for function in functions))
        script = "".join(f"{version} {{ {function}; }};\n" for function, version in functions.items() if version)
        (stubs / "stub.map").write_text(script or "{ *; };\n")
        subprocess.run(["gcc", "-shared", "-fPIC", "-nostdlib", f"-Wl,-soname,{library}", "-o", stubs / library,
                        stubs / "stub.c", f"-Wl,--version-script,{stubs / 'stub.map'}"], check=True)
    return stubs


def write_source(folder, needs):
    calls = [function_of(library, version) for library, versions in dict(needs).items() for version in versions]
    source = "".join(f"void {call}(void);\n" for call in calls)
    source += "void PyInit_core(void) {\n" + "".join(f"  {call}();\n" for call in calls) + "}\n"
    (folder / "core.c").write_text(source)


def wheel_of(folder, files, platform, requires=()):
    name = f"demo-1.0-cp312-cp312-{platform}.whl"
    tags = "".join(f"Tag: cp312-cp312-{tag}\n" for tag in platform.split("."))
    metadata = FILES[f"{INFO}/METADATA"] + "".join(f"Requires-Dist: {text}\n" for text in requires).encode()
    (folder / name).write_bytes(pack({
        "demo/__init__.py": b"", **files, f"{INFO}/METADATA": metadata, f"{INFO}/licenses/LICENSE": b"text",
        f"{INFO}/WHEEL": f"Wheel-Version: 1.0\nRoot-Is-Purelib: false\n{tags}".encode()}))
    return folder / name


def reports(wheels, *options):
    """Without --plan there is none."""
    done = wheelrun("wheel", "check", *wheels, "--format", "json", *options, cwd=wheels[0].parent,
                    env={"WHEELRUN_PLAN": ""})
    assert done.status in (0, 1), done.stderr
    return json.loads(done.stdout)["wheels"]


def errors(report):
    return {finding["code"] for finding in report["findings"] if finding["severity"] == "error"}


# The versions at the limits of each policy, and right behind them.
LIMITS = [{LIBC: ["GLIBC_2.2.5"]}, {LIBC: ["GLIBC_2.5", "GLIBC_2.12"]}, {LIBC: ["GLIBC_2.17"]}, {LIBC: ["GLIBC_2.28"]},
          {LIBC: ["GLIBC_2.35"]}, {LIBC: ["GLIBC_2.38"]}, {LIBC: ["GLIBC_PRIVATE"]}, {LIBC: ["GLIBC_ABI_DT_RELR"]}]
for number in (8, 13, 19, 22, 24, 28, 29, 30, 33):
    LIMITS += [{CXX: [f"GLIBCXX_3.4.{number}"]}, {CXX: [f"GLIBCXX_3.4.{number + 1}"]}]
for number in (1, 3, 7, 10, 11, 12, 13, 15):
    LIMITS += [{CXX: [f"CXXABI_1.3.{number}"]}, {CXX: [f"CXXABI_1.3.{number + 1}"]}]
LIMITS += [{CXX: ["CXXABI_TM_1"]}, {CXX: ["CXXABI_FLOAT128"]}, {GCC: ["GCC_4.2.0"]}, {GCC: ["GCC_4.8.0"]},
           {GCC: ["GCC_7.0.0"]}, {GCC: ["GCC_12.0.0"]}, {GCC: ["GCC_14.0.0"]}, {ZLIB: ["ZLIB_1.2.0"]},
           {ZLIB: ["ZLIB_1.2.5.2"]}, {ZLIB: ["ZLIB_1.2.9"]}, {ZLIB: ["ZLIB_1.2.12"]}, {"libatomic.so.1": ["LIBATOMIC_1.2"]},
           {LIBC: ["GLIBC_2.17"], CXX: ["GLIBCXX_3.4.24", "CXXABI_1.3.9"], GCC: ["GCC_3.0"]},
           {"libexpat.so.1": [None]}, {"libmvec.so.1": [None]}, {"libX11.so.6": [None]}, {"libother.so.1": [None]},
           {"libpython3.12.so.1.0": [None]}, {"libother.so.1": ["OTHER_7"], LIBC: ["GLIBC_2.4"]}]


def name_of(needs):
    return "+".join(str(version or library) for library, versions in needs.items() for version in versions)


@pytest.fixture(scope="module")
def of_limits(tmp_path_factory):
    """For each of them a wheel for each tag, and the reports. All libraries have one stub, and one process reads all."""
    top = tmp_path_factory.mktemp("limits")
    versions = {}
    for needs in LIMITS:
        for library, some in needs.items():
            versions.setdefault(library, {}).update(dict.fromkeys(some))
    stubs = make_stubs(top, versions)
    wheels = []
    for number, needs in enumerate(LIMITS):
        folder = top / str(number)
        folder.mkdir()
        core = {"demo/core.so": linked(folder, "core.so", needs, stubs=stubs)}
        wheels += [wheel_of(folder, core, policy.name) for policy in POLICIES]
    found = reports(wheels)
    assert [report["file"] for report in found] == [wheel.name for wheel in wheels]
    count = len(POLICIES)
    return {name_of(needs): (wheels[count * number], found[count * number:count * (number + 1)])
            for number, needs in enumerate(LIMITS)}


@pytest.mark.parametrize("needs", LIMITS, ids=name_of)
def test_each_tag_is_judged_as_by_auditwheel(of_limits, needs):
    wheel, found = of_limits[name_of(needs)]
    judged = analyze_wheel_abi(Libc.GLIBC, Architecture.x86_64, wheel, frozenset(), disable_isa_ext_check=True,
                               allow_graft=False)
    ours = {policy.name: errors(report) for policy, report in zip(POLICIES, found, strict=True)}
    assert all(codes <= {"wheel-glibc", "wheel-external"} for codes in ours.values())
    good = {name for name, codes in ours.items() if not codes}
    assert good == {policy.name for policy in POLICIES if policy.priority <= judged.overall_policy.priority}
    # What is reported for any tag. auditwheel knows some versions of glibc only, and rounds up.
    needed = found[0]["needs"]
    if needed != "linux" and good:
        number = int(needed.removeprefix("manylinux_2_"))
        assert judged.overall_policy.name == next(
            policy.name for policy in reversed(POLICIES) if int(policy.name.split("_")[2]) >= number)


def test_old_names_of_tags(tmp_path):
    """manylinux1, 2010 and 2014 are manylinux_2_5, 2_12 and 2_17 (PEP 600)."""
    core = {"demo/core.so": linked(tmp_path, "core.so", {LIBC: ["GLIBC_2.17"]})}
    found = reports([wheel_of(tmp_path, core, f"{tag}_x86_64") for tag in ("manylinux1", "manylinux2010",
                                                                          "manylinux2014", "linux")])
    assert [errors(report) for report in found] == [{"wheel-glibc"}, {"wheel-glibc"}, set(), set()]
    assert {report["needs"] for report in found} == {"manylinux_2_17"}


def test_musl(tmp_path):
    musl = {"demo/core.so": linked(tmp_path, "core.so", {"libc.musl-x86_64.so.1": [None]})}
    glibc = {"demo/core.so": linked(tmp_path, "core.so", {LIBC: ["GLIBC_2.17"]})}
    (report,) = reports([wheel_of(tmp_path, musl, "musllinux_1_2_x86_64")])
    assert (errors(report), report["needs"]) == (set(), "musllinux")
    (report,) = reports([wheel_of(tmp_path, glibc, "musllinux_1_2_x86_64")])
    assert errors(report) == {"wheel-glibc", "wheel-external"}
    assert "musllinux_1_2_x86_64 promises to run with musl, and without glibc" in json.dumps(report)
    (report,) = reports([wheel_of(tmp_path, musl, "manylinux_2_28_x86_64")])
    assert errors(report) == {"wheel-external"}


def test_own_libraries_and_where_they_are_looked_for(tmp_path):
    """What patchelf and auditwheel make of a wheel is good; auditwheel agrees on what comes from outside."""
    inner = linked(tmp_path, "libinner.so.1", {LIBC: ["GLIBC_2.5"]}, ["-Wl,-soname,libinner.so.1"])
    for path, codes in [("$ORIGIN/../demo.libs", []), ("$ORIGIN/elsewhere", ["wheel-rpath"]),
                        ("$ORIGIN/../demo.libs:/opt/lib", ["wheel-rpath"]),
                        ("$ORIGIN/../../../lib", ["wheel-rpath", "wheel-rpath"])]:
        for kind in ("--enable-new-dtags", "--disable-new-dtags"):
            core = linked(tmp_path, "core.so", {"libinner.so.1": [None]}, [f"-Wl,-rpath,{path}", f"-Wl,{kind}"])
            wheel = wheel_of(tmp_path, {"demo/core.so": core, "demo.libs/libinner.so.1": inner}, "manylinux_2_17_x86_64")
            (report,) = reports([wheel])
            assert (errors(report), [finding["code"] for finding in report["findings"]]) == (set(), codes), path
            judged = analyze_wheel_abi(Libc.GLIBC, Architecture.x86_64, wheel, frozenset(), disable_isa_ext_check=True,
                                       allow_graft=False)
            # auditwheel counts every library in the wheel as found.
            assert judged.overall_policy.name == POLICIES[-1].name


def test_linkers_and_layouts(tmp_path):
    """The tables stand elsewhere with each linker; sections are not needed."""
    needs = {LIBC: ["GLIBC_2.34"], "libother.so.1": [None]}
    said = set()
    for number, (compiler, *flags) in enumerate([
            ["gcc"], ["gcc", "-Wl,--hash-style=sysv"], ["gcc", "-s"], ["clang-19", "-fuse-ld=lld"],
            ["clang-19", "-fuse-ld=lld", "-Wl,-z,rodynamic"]]):
        folder = tmp_path / str(number)
        core = linked(folder, "core.so", needs, ["-Wl,-rpath,/opt/x", "-Wl,-z,execstack", *flags], compiler)
        filler = bytes(number * 100_000)  # the tables in another piece of the stream
        (report,) = reports([wheel_of(folder, {"demo/core.so": core + filler}, "manylinux_2_28_x86_64")])
        said.add(json.dumps([finding["message"] for finding in report["findings"]]))
    assert [json.loads(one) for one in said] == [[
        "'demo/core.so' needs GLIBC_2.34",
        "'demo/core.so' needs a stack that can be executed",
        "'demo/core.so' needs 'libother.so.1', which neither the wheel nor what it requires has",
        "'demo/core.so' looks for libraries in '/opt/x'"]]


def test_libraries_of_wheels_beside_it(tmp_path):
    """torchaudio finds those of the torch that it requires."""
    core = linked(tmp_path, "core.so", {"libfirst.so": [None]}, ["-Wl,-rpath,$ORIGIN/../first/lib"])
    first = linked(tmp_path, "libfirst.so", {LIBC: ["GLIBC_2.5"]}, ["-Wl,-soname,libfirst.so"])
    info = "first-2.0.dist-info"
    other = tmp_path / "first-2.0-cp312-cp312-linux_x86_64.whl"
    wheel = wheel_of(tmp_path, {"first/lib/libfirst.so": first}, "linux_x86_64")
    with zipfile.ZipFile(wheel) as archive, zipfile.ZipFile(other, "w") as renamed:
        for name in archive.namelist():
            data = archive.read(name).replace(INFO.encode(), info.encode()).replace(b"Name: demo\nVersion: 1.0",
                                                                                   b"Name: first\nVersion: 2.0")
            renamed.writestr(name.replace(INFO, info), data)
    alone, together = [], []
    for requires in ([], ["first==2.0"]):
        demo = wheel_of(tmp_path, {"demo/core.so": core}, "linux_x86_64", requires)
        alone.append([finding["code"] for finding in reports([demo])[0]["findings"]])
        together.append([finding["code"] for finding in reports([demo, other])[0]["findings"]])
    assert alone == [["wheel-external"], ["wheel-external"]]
    assert together == [["wheel-external"], []]


ROCM = ["libamdhip64.so.7", "libhipblas.so.3", "librocsolver.so.0", "libMIOpen.so.1", "librccl.so.1", "libroctx64.so.4",
        "librocm_sysdeps_liblzma.so.5"]


def test_wheels_of_rocm_pass(tmp_path):
    """They have the tag linux_x86_64, link libraries of other wheels, and find them beside their own folder."""
    path = "$ORIGIN:$ORIGIN/../../_rocm_sdk_core/lib:$ORIGIN/../../_rocm_sdk_libraries_gfx94X_dcgpu/lib"
    needs = {LIBC: ["GLIBC_2.28"], CXX: ["GLIBCXX_3.4.22", "CXXABI_1.3.9"], "libc10.so": [None],
             **{library: [None] for library in ROCM}}
    files = {"demo/lib/libhip.so": linked(tmp_path, "libhip.so", needs, [f"-Wl,-rpath,{path}"]),
             "demo/lib/libc10.so": linked(tmp_path, "libc10.so", {LIBC: ["GLIBC_2.17"]})}
    wheel = wheel_of(tmp_path, files, "linux_x86_64", ["rocm[libraries]==7.10.0a20251124"])
    for options in ([], ["--plan", PLAN]):
        (report,) = reports([wheel], *options)
        assert (report["findings"] == []) == bool(options)
        assert {finding["severity"] for finding in report["findings"]} <= {"warning"}
        assert report["needs"] == "manylinux_2_28"
    (report,) = reports([wheel_of(tmp_path, files, "linux_x86_64")], "--plan", PLAN)
    assert sorted(finding["code"] for finding in report["findings"]) == ["wheel-external"] * len(ROCM) + ["wheel-rpath"] * 2
    # For a manylinux tag, what the package does not have is an error.
    (report,) = reports([wheel_of(tmp_path, files, "manylinux_2_28_x86_64", ["rocm"])], "--plan", PLAN)
    assert report["findings"] == []


def plan_with(folder, stores):
    path = folder / "plan.json"
    path.write_text(json.dumps({**json.loads(PLAN.read_text(encoding="utf-8")), "wheel_stores": stores}), encoding="utf-8")
    return path


def test_the_limits_of_stores(tmp_path):
    wheel = wheel_of(tmp_path, {"demo/data": bytes(range(256)) * 20}, "linux_x86_64")
    size = wheel.stat().st_size
    stores = {"s3": {"bytes": size, "source": "https://s3.test"}, "pypi": {"bytes": size - 1, "source": "https://pypi.test"}}
    plan = plan_with(tmp_path, stores)
    # Without --store: those of the release types, which all use s3.
    assert wheelrun("wheel", "check", wheel, "--plan", plan).status == 0
    assert wheelrun("wheel", "check", wheel, "--plan", plan, "--store", "s3").status == 0
    done = wheelrun("wheel", "check", wheel, "--plan", plan, "--store", "pypi")
    assert (done.status, done.stderr) == (1, (
        f"error[wheel-size]: it has {size:,} bytes, and pypi takes {size - 1:,} at most\n"
        "   = leave out debug information or GPUs; https://pypi.test\n"
        f"   = in {wheel.name}\n"))
    stores["s3"]["bytes"] = 10
    assert wheelrun("wheel", "check", wheel, "--plan", plan_with(tmp_path, stores)).status == 1
    done = wheelrun("wheel", "check", wheel, "--plan", plan, "--store", "pipy")
    assert (done.status, done.stdout) == (2, "")
    assert done.stderr.startswith("error[option-value]: the matrix has no store 'pipy'\n   = did you mean 'pypi'?\n")
    # A plan without these tables, of an earlier version.
    older = json.loads(plan.read_text(encoding="utf-8"))
    for table in ("wheel_stores", "package_libraries"):
        del older[table]
    plan.write_text(json.dumps(older), encoding="utf-8")
    assert wheelrun("wheel", "check", wheel, "--plan", plan).status == 0


def test_the_limits_of_the_matrix():
    stores = json.loads(PLAN.read_text(encoding="utf-8"))["wheel_stores"]
    assert {name: row["bytes"] for name, row in stores.items()} == {
        "s3": 5 << 40, "github_release": (2 << 30) - 1, "pypi": 100 << 20}
