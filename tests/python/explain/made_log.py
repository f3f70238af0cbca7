"""Darshan logs made by hand, for tests of what is made from logs."""

from pathlib import Path

import numpy as np

from weir.explain.log_tables.darshan import summary_of
from weir.explain.summary import TraceSummary
from weir.trace.importers._darshan.dxt import trace_of
from weir.trace.importers._darshan.log import SEGMENT, Counted, Facts, Log, Record

FILE, DATASET = 2**63 + 7, 9
NAMES = {FILE: "/data/out.h5", DATASET: "/data/out.h5:/density"}


def counted(prefix: str, counters: dict[str, int], seconds: dict[str, float], **where: int) -> Counted:
    identity, rank, file = (where.get(key, usual) for key, usual in (("id", FILE), ("rank", -1), ("file", 0)))
    record = Record(identity, rank, [*counters.values()], [*seconds.values()], file)
    names = [f"{prefix}_{name}" for name in counters]
    return Counted(names, [f"{prefix}_F_{name}" for name in seconds], [record])


def log(counted: dict[str, Counted], segments: list[tuple[float, ...]] = [], **facts: object) -> Log:  # noqa: B006
    known: dict[str, object] = {
        "version": "3.41",
        "command": "app -x",
        "ranks": 4,
        "start_s": 1000,
        "start_ns": 5,
        "run_s": 2.5,
        "modules": dict.fromkeys(counted, False),
        "names": NAMES,
        "counted": counted,
        "stripes": [],
        "hosts": ["node"],
        "has_threads": False,
    }
    return Log(Path("a.darshan"), Facts(**(known | facts)), np.array(segments, SEGMENT))


def joined(*parts: Counted) -> Counted:
    """Records of one module, each made by `counted` of the same counters."""
    return Counted(
        parts[0].names, parts[0].seconds_names, [record for part in parts for record in part.records]
    )


def tables(source: Log) -> TraceSummary:
    """Its tables."""
    return summary_of(source, trace_of(source))
