"""ARCHER's benchio: 3-D blocks into one file, by MPI-IO, HDF5 and netCDF, in default stripes and in all."""

import csv
from collections.abc import Iterator
from importlib.resources import files
from itertools import starmap
from typing import Any

from weir.core.client import Core
from weir.simulate.find import find_machine
from weir.simulate.paper import FIT, Experiment, Paper, Printed, simulated
from weir.simulate.papers import papers

MIB = 2**20
ALL_STRIPES = 48
LIBRARY_S = {"MPIIO": (0.0, 0.0), "HDF5": (0.115, 0.01285), "NETCDF": (0.492, 0.00662)}
"""What a library's own work on a file takes, and what each rank adds to it; fitted with the machine."""


def _experiments(core: Core) -> Iterator[Experiment]:
    machine = find_machine("archer-lustre").as_core()
    table = files("weir.simulate.papers").joinpath("archer_benchio.csv").read_text()
    lines = [line for line in table.splitlines() if not line.startswith("#")]
    for row in csv.DictReader(lines):
        grid, local = (_sides(row[name]) for name in ("process_grid", "local_array"))
        striped = row["directory"] == "striped"
        request = {
            "machine": machine,
            "pattern": _pattern(grid, local, row["library"]),
            **({"stripes": ALL_STRIPES} if striped else {}),
        }
        what = f"{row['library']}, {'all' if striped else 'default'} stripes"
        place = f"{row['ranks']} ranks, {local[0]}^3"
        value = float(row["median_MiB_s"]) * MIB
        yield Experiment("ARCHER", request, (Printed(place, what, "written", value, FIT),))


def _sides(text: str) -> list[int]:
    return [int(side) for side in text.split("x")]


def _pattern(grid: list[int], local: list[int], library: str) -> dict[str, Any]:
    """One collective write of an array of doubles."""
    shape = list(starmap(int.__mul__, zip(grid, local, strict=True)))
    ranks = grid[0] * grid[1] * grid[2]
    fixed_s, of_rank_s = LIBRARY_S[library]
    array = {"name": "blocks", "element": "f8", "shape": shape, "offset": 0}
    everyone = {"first": 0, "count": ranks, "step": 1}
    write = {"verb": "write", "file": 0, "ranks": everyone, "array": 0, "partition": 0, "collective": True}
    own_s = fixed_s + of_rank_s * ranks
    own = [{"compute": {"time_s": own_s}}] if own_s else []
    opened = {"open": {"file": 0, "mode": "create", "collective": True}}
    return {
        "weir_pattern": 1,
        "name": "benchio",
        "ranks": ranks,
        "files": [{"name": "benchio", "per_rank": False, "arrays": [array]}],
        "partitions": [{"grid": grid}],
        "phases": [
            {
                "name": "write",
                "collective": False,
                "reorder": {"kind": "none"},
                "time_limit_s": 0.0,
                "wear_out": False,
                "limited_by": "",
                "steps": [opened, *own, {"access": write}, {"close": {"file": 0}}],
            }
        ],
    }


papers.register("archer")(
    Paper(
        "Blocks of three dimensions into one file on ARCHER",
        "hpc-uk/archer-benchmarks, benchio, medians of 10 to 40 repetitions, 24 to 384 ranks",
        simulated(_experiments),
    )
)
