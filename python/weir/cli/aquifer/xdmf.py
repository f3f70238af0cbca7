"""`weir aquifer xdmf`: files described for ParaView."""

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weir.cli._options import JsonOption, writes
from weir.cli._streams import output_file, print_json
from weir.cli.aquifer import check_packages
from weir.errors import WeirError
from weir.handed.takes import Takes
from weir.units import count_words, format_bytes

if TYPE_CHECKING:
    from weir.aquifer.series import Series

FilesArgument = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE...",
        help="Files of one run of PFLOTRAN on a structured grid, or of the aquifer, in HDF5.",
    ),
    Takes(("hdf5",)),
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out", "-o", metavar="NAME.xmf", help="Default: next to the first file, and named like it."
    ),
]
_BYTES_OF_A_NODE = 24


@writes
def command(files: FilesArgument, out: OutOption = None, json: JsonOption = False) -> None:
    """Write NAME.xmf, which ParaView opens with all times of the FILEs, and NAME.xmf.h5 beside it.

    The FILEs stay as they are; NAME.xmf.h5 refers to them by relative names. Replaces only files that this
    verb made. Prints the path of NAME.xmf.
    """
    check_packages()
    from weir.aquifer.own_files import check_replaceable, is_own_data
    from weir.aquifer.series import open_series
    from weir.aquifer.xdmf import document
    from weir.aquifer.xdmf_data import data_of

    chosen = [path for path in files if not is_own_data(path)]
    for path in files:
        if path not in chosen:
            print(f"weir: left out '{path}', which this verb made", file=sys.stderr)
    if not chosen:
        raise WeirError("there is nothing to describe", "this verb made all of the files", "name data files")
    with open_series(chosen) as series:
        path = _checked(out or chosen[0].with_name(f"{series.name}.xmf"))
        beside = path.with_name(f"{path.name}.h5")
        for each in (path, beside):
            check_replaceable(each)
        text, data = document(series, beside.name).encode(), data_of(series, path.parent)
        for each, content in ((beside, data), (path, text)):
            with output_file(each, named=False) as file:
                file.write(content)
        told = _as_data(series, path, beside, len(data))
    if json:
        print_json(told)
    else:
        print(path)
        print(
            f"weir: {count_words(told['times'], 'time')}; '{beside}' has {format_bytes(len(data))}, and "
            f"ParaView will hold {format_bytes(told['node_bytes'])} of places of nodes",
            file=sys.stderr,
        )


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


def _as_data(series: "Series", path: Path, beside: Path, size: int) -> dict[str, Any]:
    nodes = math.prod(map(len, series.edges))
    return {
        "xdmf": str(path),
        "data": str(beside),
        "data_bytes": size,
        "files": [str(file.path) for file in series.files],
        "times": len(series.moments),
        "time_unit": series.unit,
        "node_bytes": nodes * _BYTES_OF_A_NODE,
    }
