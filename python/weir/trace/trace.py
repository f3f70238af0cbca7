"""A trace: the processes that a folder holds."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from weir.errors import WeirError

from .names import Names, read_names
from .stream import Stream, read_stream


@dataclass(frozen=True)
class Process:
    """What one process recorded."""

    facts: dict[str, Any]
    """Its first line of facts, with what later lines added."""
    names: Names
    streams: list[Stream]
    ended: bool
    """Did it end by itself?"""


def read_trace(folder: Path) -> list[Process]:
    """Read a trace's processes, by host and number. Raises WeirError if the folder holds none."""
    processes = [_read_process(facts) for facts in sorted(folder.glob("*.process"))]
    if not processes:
        raise WeirError(
            f"{folder} holds no trace",
            "there is no file *.process in it",
            "Record one with `weir trace -o FOLDER -- PROGRAM`.",
        )
    return processes


def _read_process(path: Path) -> Process:
    facts: dict[str, Any] = {}
    for line in path.read_bytes().splitlines():
        try:
            facts |= msgspec.json.decode(line, type=dict[str, Any])
        except msgspec.DecodeError:
            break  # cut off: the last one
    prefix = path.name.removesuffix(".process")
    streams = sorted(path.parent.glob(f"{prefix}.*.records"))
    return Process(
        facts,
        read_names(path.with_name(f"{prefix}.names")),
        [read_stream(stream) for stream in streams],
        "end_real_ns" in facts,
    )
