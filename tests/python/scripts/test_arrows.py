"""Includes and imports point downward: no folder of src/ and no package of python/weir is in a circle."""

import re
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
LAYERS = (
    "core",
    "comm trace",
    "array pattern typemap",
    "array_formats boost lowering storage",
    "bench sim",
    "apps",
    "programs",
)
"""Folders of src/, from below: each includes from itself and from those below it."""


def includes() -> list[tuple[Path, Path]]:
    """File and file that it includes, below src/."""
    src = ROOT / "src"
    found = []
    for path in src.rglob("*.?pp"):
        names = re.findall(r'^#include "(.+)"$', path.read_text(), re.M)
        found += [(path.relative_to(src), Path(name)) for name in names if (src / name).exists()]
    return found


def test_no_include_points_upward() -> None:
    height = {folder: number for number, folders in enumerate(LAYERS) for folder in folders.split()}
    for file, name in includes():
        above, below = file.parts[0], name.parts[0]
        assert above == below or height[below] < height[above], f"{file} includes {name}"


def test_no_folders_include_each_other() -> None:
    uses: dict[str, set[str]] = {}
    for file, name in includes():
        if name.parent != file.parent:
            uses.setdefault(str(file.parent), set()).add(str(name.parent))
    TopologicalSorter(uses).prepare()  # raises a CycleError that names them


def test_no_packages_import_each_other() -> None:
    weir = ROOT / "python" / "weir"
    uses: dict[str, set[str]] = {}
    for path in weir.glob("*/**/*.py"):
        package = path.relative_to(weir).parts[0]
        found = set(re.findall(r"^ *(?:from|import) weir\.(\w+)", path.read_text(), re.M))
        uses.setdefault(package, set()).update(found - {package})
    TopologicalSorter(uses).prepare()  # raises a CycleError that names them
