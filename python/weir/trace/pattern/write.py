"""A recognised pattern as files: JSON, lists beside it, and the names that files had."""

import csv
import io
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from weir.files.write import write, written

from .pattern import Recognised
from .write_steps import Json, StepWriter

MOST_LISTED = 100_000
"""Lists of more pieces than this in all go into a file of their own."""


class ListsBeside:
    """Puts short lists into their steps, and long ones into files beside the pattern."""

    def __init__(self, pattern: Path) -> None:
        self._pattern = pattern
        self.written: list[Path] = []

    def keys(self, pieces: list[NDArray[np.int64]]) -> Json:
        """`lists` or `lists_file`."""
        counts = np.array([len(one) for one in pieces], "<u8")
        if counts.sum() <= MOST_LISTED:
            return {"lists": [one.reshape(-1).tolist() for one in pieces]}
        path = self._pattern.with_name(f"{self._pattern.stem}.{len(self.written) + 1}.lists")
        with written(path) as file:
            file.write(b"WEIRLIST" + np.array([len(pieces)], "<u8").tobytes())
            file.write(np.concatenate([[0], np.cumsum(counts)]).astype("<u8").tobytes())
            for one in pieces:
                file.write(one.astype("<u8").tobytes())
        self.written.append(path)
        return {"lists_file": path.name}


def write_pattern(found: Recognised, path: Path) -> list[Path]:
    """Write the pattern to `path`, long lists and the table of names beside it; returns all files that
    were written."""
    lists = ListsBeside(path)
    writer = StepWriter(found.ranks, [one.median_s for one in found.computing], lists, found.shapes)
    phases = [
        {
            "name": phase.name,
            "collective": phase.collective,
            "reorder": {"kind": "none"},
            "time_limit_s": 0,
            "wear_out": False,
            "limited_by": "",
            "steps": writer.phase(phase.steps, collective=phase.collective),
        }
        for phase in found.phases
    ]
    pattern: dict[str, Any] = {
        "weir_pattern": 1,
        "name": path.stem,
        "ranks": found.ranks,
        "files": [{"name": file.name, "per_rank": file.per_rank} for file in found.files],
        "phases": phases,
    }
    write(path, _lines(pattern), named=True)
    names = path.with_name(f"{path.stem}.names.csv")
    _write_names(found, names)
    return [path, *lists.written, names]


def _lines(pattern: dict[str, Any]) -> bytes:
    """JSON with a line for each file and step, so that people can read it."""
    encode = msgspec.json.Encoder().encode

    def listed(items: list[Any], depth: int) -> bytes:
        pad = b" " * depth
        return b"[" + b",".join(b"\n" + pad + item(one, depth) for one in items) + b"]"

    def item(one: Any, depth: int) -> bytes:
        if "repeat" in one:
            head = b'{"repeat":{"count":' + encode(one["repeat"]["count"]) + b',"steps":'
            return head + listed(one["repeat"]["steps"], depth + 1) + b"}}"
        return encode(one)

    head = encode({key: pattern[key] for key in ("weir_pattern", "name", "ranks")})[:-1]
    phases = []
    for phase in pattern["phases"]:
        steps = phase.pop("steps")
        phases.append(b"\n  " + encode(phase)[:-1] + b',"steps":' + listed(steps, 3) + b"}")
    return (
        head + b',\n "files":' + listed(pattern["files"], 2) + b',\n "phases":[' + b",".join(phases) + b"]}\n"
    )


def _write_names(found: Recognised, path: Path) -> None:
    with (
        written(path) as file,
        io.TextIOWrapper(file, "utf-8", errors="surrogateescape", newline="") as text,
    ):
        table = csv.writer(text, lineterminator="\n")
        table.writerow(["file", "name", "rank", "original"])
        for number, one in enumerate(found.files):
            for rank, original in one.originals:
                table.writerow([number, one.name, "" if rank < 0 else rank, original])
