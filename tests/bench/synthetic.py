"""Creates a project of any size: the matrix of this repository with other families, and its release chain.

All families are equal and have 20 combos (4 Pythons x 5 PyTorch refs), so each family gives one workflow file with 60
jobs besides those that resolve versions. The names are unique, so that peers.py can find them in the generated text.
"""

import re
import shutil
from dataclasses import dataclass

import yaml

COMBOS_A_FILE = 20
JOBS_A_COMBO = 3
PYTHONS = ["3.61", "3.62", "3.63", "3.64"]
TORCHES = ["91.1", "91.2", "91.3", "91.4", "91.5"]

# The tables that the release chain needs; other tables refer to families and versions that this project does not have.
TABLES = ("families.yml", "limits.yml", "pins.yml", "platforms.yml", "pytorch.yml", "release.yml", "settings.yml",
          "triggers.yml")

# The template that is unrolled, and the templates that it calls.
TEMPLATES = [
    "release_pytorch_wheels.yml",
    "resolve_versions.yml",
    "build_pytorch_wheels.yml",
    "test_pytorch_wheels.yml",
    "attest_pytorch_wheels.yml",
    "promote_pytorch_wheels.yml",
    "install_pytorch_wheels.yml",
    "index_python_packages.yml",
]


@dataclass(frozen=True)
class Row:
    """The fields of one combo for a text template."""

    id: str
    py: str
    python: str
    torch_id: str
    torch_word: str
    torch: str

    # {field: its generated text}, the most specific first
    def fields(self):
        return {
            "id": self.id,
            "torch_id": self.torch_id,
            "torch_word": self.torch_word,
            "torch": self.torch,
            "py": self.py,
            "python": self.python,
        }


def rows():
    made = []
    for python in PYTHONS:
        for torch in TORCHES:
            py, word = "py" + python.replace(".", ""), "torch" + torch.replace(".", "")
            made.append(Row(f"{py}_{word}", py[2:], python, word.replace("torch", "torch_"), word, torch))
    return made


def codes(families):
    """The part of each family's names that identifies it: 40000 in gfx40000-dcgpu and linux-gfx40000-gpu-rocm."""
    return [str(40000 + number) for number in range(families)]


def families_for(jobs):
    return -(-jobs // (COMBOS_A_FILE * JOBS_A_COMBO))


def _load(path):
    return yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)


def _family(code):
    return {
        "tier": "presubmit",
        "linux": {
            "family": f"gfx{code}-dcgpu",
            "targets": [f"gfx{code}"],
            "test_runs_on": f"linux-gfx{code}-gpu-rocm",
            "fetch_targets": [f"gfx{code}"],
            "bypass_tests_for_releases": True,
        },
    }


def _without_platform_windows(tables):
    tables["platforms.yml"]["platforms"] = {
        name: row for name, row in tables["platforms.yml"]["platforms"].items() if name == "linux"
    }


def _replace_triggers(triggers, first):
    """Removes families and workflows from the triggers that this project does not have."""
    for row in triggers.values():
        row.pop("workflows", None)
        row["labels"] = {}
        if isinstance(row.get("pytorch"), list):
            row["pytorch"] = [first] if row["pytorch"] else []


def _with_fragments(folder):
    """The templates of the chain and all fragments that they include; no others may exist."""
    names = [f"workflows/{name}" for name in TEMPLATES]
    for name in names:  # the loop appends to the list
        text = (folder / name).read_text(encoding="utf-8")
        names += [found for found in re.findall(r"include ([\w./-]+\.yml)", text) if found not in names]
    return names


def write(source, target, jobs):
    """Writes the project into the folder `target`; returns the number of families."""
    families = families_for(jobs)
    names = codes(families)
    tables = {name: _load(source / "matrix" / name) for name in TABLES}
    tables["families.yml"]["families"] = {f"gfx{code}": _family(code) for code in names}
    tables["families.yml"]["target_groups"] = {}
    _without_platform_windows(tables)
    _replace_triggers(tables["triggers.yml"]["triggers"], f"gfx{names[0]}")

    pytorch = tables["pytorch.yml"]
    pytorch["torch"] = {
        f"release/{version}": {
            "id": "torch_" + version.replace(".", ""),
            "version": version,
            "stable": True,
            "source": "rocm",
        }
        for version in TORCHES
    }
    pytorch["torch_sources"] = {"rocm": pytorch["torch_sources"]["rocm"]}
    axes = {"python": PYTHONS, "torch": [f"release/{version}" for version in TORCHES]}
    first = {"python": PYTHONS[:1], "torch": axes["torch"][:1]}
    pytorch["combos"] = {
        "release": {"platforms": {"linux": axes}},
        "ci": {"platforms": {"linux": first}},
    }
    for row in tables["release.yml"]["release_types"].values():
        row.pop("exclude", None)

    if target.exists():
        shutil.rmtree(target)
    (target / "matrix").mkdir(parents=True)
    for name, content in tables.items():
        text = yaml.safe_dump(content, sort_keys=False, width=1000)
        (target / "matrix" / name).write_text(text, encoding="utf-8")
    for name in ("schema.yml", "plan.schema.json"):
        shutil.copy(source / "matrix" / name, target / "matrix")
    for name in ("plan.yml", *_with_fragments(source / "templates")):
        file = target / "templates" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / "templates" / name, file)
    return families
