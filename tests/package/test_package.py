"""The archive of a release, unpacked into a folder that is used as root directory: the only libraries, modules for name
resolution and certificates are those that a test adds. An archive for another architecture runs in an emulator of its
processor."""

import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/python"))
import s3_server as s3  # noqa: E402  (the folder of the other tests)

ARCHIVE = Path(os.environ["ARCHIVE"]).absolute()
ARCH = ARCHIVE.name.removesuffix(".tar.gz").rpartition("-")[2]
FOREIGN = ARCH != platform.machine()
BUCKET = "therock-dev-python"
# A library that ends a program that loads it.
TRAP = '#include <unistd.h>\n__attribute__((constructor)) static void trap(void) { _exit(99); }\n'
OPENSSL_CNF = """openssl_conf = all
[all]
providers = providers
[providers]
trap = trap
[trap]
module = /trap.so
activate = 1
"""


def _become_root():
    if os.geteuid() == 0:
        return []
    own_names = ["unshare", "--map-root-user"]
    allowed = subprocess.run([*own_names, "true"], capture_output=True, check=False).returncode == 0
    return own_names if allowed else ["sudo", "-n"]


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "root"
    folder.mkdir()
    subprocess.run(["tar", "-xf", ARCHIVE, "-C", folder], check=True)
    (folder / "etc").mkdir()
    (folder / "etc/hosts").write_text("127.0.0.1 localhost\n")
    if FOREIGN:
        shutil.copy(shutil.which(f"qemu-{ARCH}-static"), folder / "emulator")
    return folder


def run(root, *words, **variables):
    """Runs a program inside the root directory, with only these variables."""
    pairs = [f"{name}={value}" for name, value in variables.items()]
    command = [*_become_root(), "env", "-i", *pairs, shutil.which("chroot") or "/usr/sbin/chroot", root,
               *(["/emulator"] if FOREIGN else []), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """The files with a local server's certificate and key."""
    folder = tmp_path_factory.mktemp("certificate")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-days", "2",
                    "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return certificate, key


@pytest.fixture(scope="module", params=["http", "https"])
def server(request, tmp_path_factory, certificate):
    server = s3.Server(tmp_path_factory.mktemp("server"), tls=certificate if request.param == "https" else ())
    server.make_bucket(BUCKET)
    yield server
    server.close()


def upload(root, server, host, **variables):
    wheel = s3.make_wheel(root / "dist", "torch", "2.10.0", 3 << 20, tag="py3-none-any")
    shutil.copy(ROOT / "generated-workflows/plan.json", root / "plan.json")
    endpoint = f"{server.url.partition(':')[0]}://{host}:{server.port}"
    done = run(root, "/wheelrun", "upload", "/dist", "--family", "gfx1151", "--platform", "linux", "--bucket", BUCKET,
               WHEELRUN_PLAN="/plan.json", **s3.variables(endpoint), **variables)
    return done, f"v2-staging/gfx1151/{wheel.name}" in server.keys(BUCKET)


@pytest.fixture(autouse=True)
def empty_bucket(request):
    yield
    if "server" in request.fixturenames:
        request.getfixturevalue("server").aws("s3", "rm", "--recursive", f"s3://{BUCKET}")


def test_the_archive_holds_the_programs_and_what_a_repository_adopts():
    total = hashlib.sha256(ARCHIVE.read_bytes()).hexdigest()
    assert f"{total}  {ARCHIVE.name}\n" in (ARCHIVE.parent / "SHA256SUMS").read_text()
    with tarfile.open(ARCHIVE) as archive:
        members = archive.getmembers()
        programs = {member.name: oct(member.mode) for member in members if "/" not in member.name}
        adopted = {member.name: archive.extractfile(member).read() for member in members if "/" in member.name}
        licenses = archive.extractfile("LICENSES").read().decode()
    assert programs == {"wheelwright": "0o755", "wheelrun": "0o755", "LICENSE": "0o644", "LICENSES": "0o644"}
    assert all(f"{name}-dev/copyright" in licenses for name in ("libssl", "libzstd", "libfmt", "libboost"))
    folders = ["matrix", "templates", "docs/schemas", ".github/actions/setup-wheelrun"]
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()]
    assert adopted == {str(path.relative_to(ROOT)): path.read_bytes() for path in paths}
    # The archive does not depend on the machine or the time.
    assert {(member.mtime, member.uid, member.gid, member.uname, member.gname) for member in members} == {
        (0, 0, 0, "", "")}
    assert ARCHIVE.read_bytes()[4:8] == bytes(4)


def test_the_archive_is_a_project_of_its_own(root):
    done = run(root, "/wheelwright", "generate", "--root", "/", "--out", "/look")
    assert done.returncode == 0, done.stdout + done.stderr
    made = {path.name: path.read_bytes() for path in (root / "look").iterdir()}
    assert made == {path.name: path.read_bytes() for path in (ROOT / "generated-workflows").iterdir()}


@pytest.mark.parametrize("program", ["wheelwright", "wheelrun"])
def test_a_program_needs_nothing_beside_it(root, program):
    version = re.search(r"project\(wheelwright VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
    done = run(root, f"/{program}", "--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{program} {version}\n", "")


def test_workflows_are_checked(root):
    for name in ("matrix", "templates", "generated-workflows"):
        shutil.copytree(ROOT / name, root / "project" / name)
    done = run(root, "/wheelwright", "check", "--root", "/project")
    assert done.returncode == 0, done.stdout + done.stderr
    with next((root / "project/generated-workflows").glob("ci_*.yml")).open("a") as file:
        file.write("# changed\n")
    assert run(root, "/wheelwright", "check", "--root", "/project").returncode == 1


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_wheels_are_uploaded(root, server, certificate, host):
    shutil.copy(certificate[0], root / "trusted.pem")
    done, there = upload(root, server, host, SSL_CERT_FILE="/trusted.pem")
    assert done.returncode == 0 and there, done.stdout + done.stderr


@pytest.mark.parametrize("server", ["https"], indirect=True)
@pytest.mark.parametrize("bundle", ["etc/ssl/certs/ca-certificates.crt",
                                    "etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem"])
def test_certificates_of_the_system_are_found(root, server, certificate, bundle):
    done, there = upload(root, server, "localhost")
    assert done.returncode == 1 and not there and "localhost: its certificate is not trusted" in done.stderr
    (root / bundle).parent.mkdir(parents=True)
    shutil.copy(certificate[0], root / bundle)
    done, there = upload(root, server, "localhost")
    assert done.returncode == 0 and there, done.stdout + done.stderr


@pytest.mark.skipif(FOREIGN, reason="its libraries are for the processor of this machine")
@pytest.mark.parametrize("server", ["https"], indirect=True)
def test_no_library_of_the_machine_is_loaded(root, server, certificate):
    libraries = Path(subprocess.run(["cc", "-print-file-name=libc.so.6"], check=True, capture_output=True,
                                    text=True).stdout).resolve().parent
    inside = root / libraries.relative_to("/")
    inside.mkdir(parents=True)
    (root / "lib64").mkdir()
    for folder in (inside, root / "lib64"):
        shutil.copy("/lib64/ld-linux-x86-64.so.2", folder)
    shutil.copy(libraries / "libc.so.6", inside)
    shutil.copy(shutil.which("getent"), root)
    subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", inside / "libnss_trap.so.2"], input=TRAP, text=True,
                   check=True)
    shutil.copy(inside / "libnss_trap.so.2", root / "trap.so")
    (root / "etc/nsswitch.conf").write_text("hosts: trap files dns\n")
    (root / "openssl.cnf").write_text(OPENSSL_CNF)
    shutil.copy(certificate[0], root / "trusted.pem")
    # The trap works: it ends a program that is linked dynamically.
    assert run(root, "/getent", "hosts", "localhost").returncode == 99
    done, there = upload(root, server, "localhost", SSL_CERT_FILE="/trusted.pem", OPENSSL_CONF="/openssl.cnf")
    assert done.returncode == 0 and there, done.stdout + done.stderr
