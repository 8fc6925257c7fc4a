"""A release of a family in a folder: the set that plan.json declares."""

import io
import json
import tarfile

from index_world import make_wheel
from wheelrun import PLAN

FAMILY = "gfx1153"
ROCM = "7.12.0a20260219"
TAGS = {"linux": "linux_x86_64", "windows": "win_amd64"}


def make_sdist(folder, project, version):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{project}-{version}.tar.gz"
    info = f"Metadata-Version: 2.1\nName: {project}\nVersion: {version}\n".encode()
    with tarfile.open(path, "w:gz") as archive:
        entry = tarfile.TarInfo(f"{project}-{version}/PKG-INFO")
        entry.size = len(info)
        archive.addfile(entry, io.BytesIO(info))
    return path


def combos(platform, family=FAMILY, release_type="nightly"):
    """The combos of the release: {id: (python, torch)}."""
    chosen = json.loads(PLAN.read_text(encoding="utf-8"))["combos"]["release"]
    (build,) = [row for row in chosen["builds"] if (row["platform"], row["gfx"]) == (platform, family)]
    rows = chosen["rows"]
    return {id_: (rows[id_]["python"], rows[id_]["torch"]) for id_ in build["combos"]
            if release_type in rows[id_]["release_types"]}


def versions(torch, rocm=ROCM):
    """Versions that are not known before the build, with ROCm's label."""
    minor = 11 if torch == "nightly" else int(torch.rsplit(".", 1)[1])
    release = f"2.{minor}.0a0" if torch == "nightly" else f"2.{minor}.1"
    label = "torchnightly" if torch == "nightly" else f"torch2{minor}"
    return {"triton": f"3.{minor - 5}.0+rocm{rocm}", "torch": f"{release}+rocm{rocm}",
            "torchaudio": f"{release}+rocm{rocm}", "torchvision": f"0.{minor + 15}.0+rocm{rocm}",
            "apex": f"1.10.0+rocm{rocm}.{label}"}


def requirements(project, all_versions, platform, rocm):
    if project == "torch":
        triton = [f"triton=={all_versions['triton']}"] if platform == "linux" else []
        return [*triton, f"rocm[libraries]=={rocm}"]
    return [f"torch=={all_versions['torch']}"] if project in ("torchaudio", "torchvision") else []


def make_combo(folder, platform, python, torch, rocm=ROCM):
    tag = "cp" + python.replace(".", "")
    found = versions(torch, rocm)
    projects = found if platform == "linux" else ("torch", "torchaudio", "torchvision")
    for project in projects:
        make_wheel(folder, project, found[project], requirements(project, found, platform, rocm),
                   tag=f"{tag}-{tag}-{TAGS[platform]}")


def make_rocm(folder, family=FAMILY, rocm=ROCM, platforms=("linux", "windows")):
    make_sdist(folder, "rocm", rocm)
    for platform in platforms:
        for project in ("rocm-sdk-core", "rocm-sdk-devel", f"rocm-sdk-libraries-{family}"):
            make_wheel(folder, project, rocm, tag=f"py3-none-{TAGS[platform]}")


def make_release(folder, family=FAMILY, rocm=ROCM, platforms=("linux", "windows")):
    make_rocm(folder, family, rocm, platforms)
    for platform in platforms:
        for python, torch in combos(platform, family).values():
            make_combo(folder, platform, python, torch, rocm)
