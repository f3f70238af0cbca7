"""A recognised pattern as files: JSON, lists beside it, and the names that files had."""

import csv
import io
from pathlib import Path

import msgspec
import numpy as np
from msgspec import UNSET
from msgspec.structs import replace
from numpy.typing import NDArray

from weir.files.write import write, written
from weir.pattern import File, Pattern, Phase, Step, phase_of

from .pattern import Recognised
from .write_steps import Places, StepWriter

MOST_LISTED = 100_000
"""Lists of more pieces than this in all go into a file of their own."""


class ListsBeside:
    """Puts short lists into their steps, and long ones into files beside the pattern."""

    def __init__(self, pattern: Path) -> None:
        self._pattern = pattern
        self.written: list[Path] = []

    def places(self, pieces: list[NDArray[np.int64]]) -> Places:
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
    pattern = Pattern(
        weir_pattern=1,
        name=path.stem,
        ranks=found.ranks,
        files=[File(name=file.name, per_rank=file.per_rank) for file in found.files],
        phases=[
            phase_of(
                phase.name,
                writer.phase(phase.steps, collective=phase.collective),
                collective=phase.collective,
            )
            for phase in found.phases
        ],
    )
    write(path, _lines(pattern), named=True)
    names = path.with_name(f"{path.stem}.names.csv")
    _write_names(found, names)
    return [path, *lists.written, names]


def _lines(pattern: Pattern) -> bytes:
    """JSON with a line for each file and step, so that people can read it."""
    encode = msgspec.json.Encoder().encode

    def listed(items: list[bytes], depth: int) -> bytes:
        pad = b"\n" + b" " * depth
        return b"[" + b",".join(pad + item for item in items) + b"]"

    def step(one: Step, depth: int) -> bytes:
        if one.repeat is UNSET:
            return encode(one)
        steps = listed([step(inner, depth + 1) for inner in one.repeat.steps], depth + 1)
        return b'{"repeat":{"count":' + encode(one.repeat.count) + b',"steps":' + steps + b"}}"

    def phase(one: Phase) -> bytes:
        head = encode(replace(one, steps=[])).removesuffix(b"[]}")
        return b"\n  " + head + listed([step(inner, 3) for inner in one.steps], 3) + b"}"

    head = encode(replace(pattern, files=[], phases=[])).removesuffix(b',"files":[],"phases":[]}')
    return (
        head
        + b',\n "files":'
        + listed([encode(file) for file in pattern.files], 2)
        + b',\n "phases":['
        + b",".join(phase(one) for one in pattern.phases)
        + b"]}\n"
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
