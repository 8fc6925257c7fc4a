"""The archive of a release: the programs, and the files that an adopting repository copies, laid out as in the sources."""

import gzip
import io
import os
import tarfile
import zipfile
from pathlib import Path

from version import version

ROOT = Path(__file__).resolve().parent.parent
# The files that docs/adopting.md copies, and the schemas that the first lines of matrix files name.
ADOPTED = ("matrix", "templates", "docs/schemas", ".github/actions/setup-wheelrun")
# 9 takes more than twice as long, for one part in three hundred.
LEVEL = 7


def archive_name(arch, platform="linux"):
    return f"wheelwright-{version()}-{platform}-{arch}.{'zip' if platform == 'windows' else 'tar.gz'}"


def _files(programs, licenses):
    for name, content in sorted(programs.items(), reverse=True):
        yield name, 0o755, content
    yield "LICENSE", 0o644, (ROOT / "LICENSE").read_bytes()
    yield "LICENSES", 0o644, licenses.encode()
    for folder in ADOPTED:
        for path in sorted(path for path in (ROOT / folder).rglob("*") if path.is_file()):
            yield path.relative_to(ROOT).as_posix(), 0o755 if os.access(path, os.X_OK) else 0o644, path.read_bytes()


def write_archive(path, programs, licenses):
    """Writes a .tar.gz, or a .zip for Windows. programs: {name: bytes}. licenses: those of the linked libraries. Equal
    input gives equal bytes."""
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name, mode, content in _files(programs, licenses):
                member = zipfile.ZipInfo(name)  # its default time is 1980-01-01
                member.compress_type, member.external_attr = zipfile.ZIP_DEFLATED, (0o100000 | mode) << 16
                archive.writestr(member, content, compresslevel=LEVEL)
        return
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, mode, content in _files(programs, licenses):
            member = tarfile.TarInfo(name)
            member.mode, member.size = mode, len(content)
            archive.addfile(member, io.BytesIO(content))
    path.write_bytes(gzip.compress(packed.getvalue(), LEVEL, mtime=0))
