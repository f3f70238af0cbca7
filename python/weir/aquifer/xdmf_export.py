"""What `weir export --format xdmf` writes: an XDMF document of a series for ParaView, and an HDF5 file beside
it that refers to the data."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from weir.aquifer.own_files import check_replaceable, is_own_data
from weir.aquifer.series import Series, open_series
from weir.aquifer.xdmf import document
from weir.aquifer.xdmf_data import data_of
from weir.dumps.kind import Exported
from weir.errors import WeirError
from weir.units import count_words, format_bytes

_BYTES_OF_A_NODE = 24


def exported(files: Sequence[Path], out: Path | None) -> Exported:
    """Of the files of one run, which stay as they are; by default next to the first, and named like it. Those
    that an export made are left out. Raises WeirError where they are no series, and where a file stands there
    that no export made."""
    chosen = [path for path in files if not is_own_data(path)]
    notes = [f"left out '{path}', which an export made" for path in files if path not in chosen]
    if not chosen:
        raise WeirError("there is nothing to describe", "an export made all of the files", "name data files")
    with open_series(chosen) as series:
        path = _checked(out or chosen[0].with_name(f"{series.name}.xmf"))
        beside = path.with_name(f"{path.name}.h5")
        for each in (path, beside):
            check_replaceable(each)
        text, data = document(series, beside.name).encode(), data_of(series, path.parent)
        told = _as_data(series, path, beside, len(data))
    notes.append(
        f"{count_words(told['times'], 'time')}; '{beside}' has {format_bytes(len(data))}, and ParaView will "
        f"hold {format_bytes(told['node_bytes'])} of places of nodes"
    )
    return Exported(path, [(beside, data), (path, text)], notes, told)


def _checked(path: Path) -> Path:
    if path.suffix != ".xmf":
        raise WeirError(f"cannot write '{path}'", "ParaView knows such files by their ending", "use NAME.xmf")
    if ":" in path.name or path.name != path.name.strip():
        raise WeirError(
            f"cannot write '{path}'",
            "readers of XDMF split names at a colon, and drop blanks at their ends",
            "choose another --out",
        )
    return path


def _as_data(series: Series, path: Path, beside: Path, size: int) -> dict[str, Any]:
    nodes = math.prod(map(len, series.edges))
    return {
        "file": str(path),
        "format": "xdmf",
        "data": str(beside),
        "data_bytes": size,
        "files": [str(file.path) for file in series.files],
        "times": len(series.moments),
        "time_unit": series.unit,
        "node_bytes": nodes * _BYTES_OF_A_NODE,
    }
