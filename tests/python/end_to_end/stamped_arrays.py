"""Patterns of arrays, written with stamps: a format's file holds what stands in plain bytes."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .patterns import Json, closing, opening, phase
from .real_core import Done, run_core, write_cases


def dtype_of(element: Json | str) -> np.dtype[Any]:
    """An array's element as NumPy has it."""
    if isinstance(element, str):
        return np.dtype(element)
    members = element["members"]
    return np.dtype(
        {
            "names": [member["name"] for member in members],
            "formats": [member["element"] for member in members],
            "offsets": [member["offset"] for member in members],
            "itemsize": element["bytes"],
        }
    )


def bytes_of(array: Json) -> int:
    return int(np.prod(array["shape"], dtype=np.int64)) * dtype_of(array["element"]).itemsize


def placed(arrays: list[Json]) -> list[Json]:
    """The same arrays, each with its place in plain bytes: one after the other, as multiples of 8."""
    end = 0
    with_offsets = []
    for array in arrays:
        with_offsets.append({**array, "offset": end})
        end += -(-bytes_of(array) // 8) * 8
    return with_offsets


def access_to(array: int, verb: str, *, ranks: int, partition: int, collective: bool = False) -> Json:
    """All ranks' access to an array of file 0; of one rank, if it is an attribute or a header."""
    everyone = {"first": 0, "count": ranks, "step": 1}
    plain = {"verb": verb, "file": 0, "ranks": everyone, "array": array, "partition": partition}
    return {"access": {**plain, "collective": True} if collective else plain}


def pattern_of(
    arrays: list[Json], *, ranks: int, collective: bool = False, counts: list[int] | None = None
) -> Json:
    """Each array in turn: by all ranks, if it has as many rows as `counts` gives them, else by rank 0, as are
    attributes. Partition 0 is of rank 0, 1 divides rows."""
    rows = sum(counts) if counts else None

    def accesses(verb: str) -> list[Json]:
        made = []
        for index, array in enumerate(arrays):
            alone = not array["shape"] or "attribute_of" in array or (rows and array["shape"][0] != rows)
            many = {"ranks": 1, "partition": 0} if alone else {"ranks": ranks, "partition": 1}
            made.append(access_to(index, verb, collective=collective and not alone, **many))
        return made

    steps = [
        phase("write", opening("create"), *accesses("write"), closing()),
        phase("check", opening("read"), *accesses("check"), closing()),
    ]
    by_rows = {"counts": counts} if counts else {}
    return {
        "weir_pattern": 1,
        "name": "arrays",
        "ranks": ranks,
        "files": [{"name": "data", "per_rank": False, "arrays": arrays}],
        "partitions": [{}, by_rows],
        "phases": steps,
    }


def run_pattern(pattern: Json, backend: str, *, code: int = 0, **options: Any) -> Done:
    """Carry it out through this back-end; the file stays, as `store/BACKEND/weir-data`."""
    folder = Path("store", backend)
    folder.mkdir(exist_ok=True)
    Path("pattern.json").write_text(json.dumps(pattern))
    chosen = {"pattern": "pattern.json", "backend": backend, "dir": str(folder), "keep": True, **options}
    case = {"id": backend, "benchmark": "storage", "options": chosen}
    done = run_core(write_cases(case), ranks=pattern["ranks"]).ended(code)
    if code == 0:
        (check,) = done.samples("check")
        assert check["verification"]["wrong"] == 0
        assert check["verification"]["words"] > 0
    return done


def written(backend: str) -> Path:
    return Path("store", backend, "weir-data")


def expected(array: Json) -> NDArray[Any]:
    """The array as plain bytes have it."""
    data = written("posix").read_bytes()[array["offset"] :][: bytes_of(array)]
    return np.frombuffer(data, dtype_of(array["element"])).reshape(array["shape"])


def same(found: NDArray[Any], wanted: NDArray[Any]) -> bool:
    """Bit for bit, but for gaps between members."""
    if found.dtype != wanted.dtype or found.shape != wanted.shape:
        return False
    if wanted.dtype.names is None:
        return found.tobytes() == wanted.tobytes()
    return all(found[name].tobytes() == wanted[name].tobytes() for name in wanted.dtype.names)
