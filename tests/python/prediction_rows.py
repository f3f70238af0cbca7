"""Rows of an application and of what imitates it, with errors that are known."""

from samples import sample
from weir.results.row import Row
from weir.results.summary import summarise
from weir.store.records import AnyRecord, Cache, CaseRecord, ReplayRecord, SampleRecord

BYTES = 1000
LOST = {"dump": {"write": ["requests of 7 MiB are made as 2 MiB each"]}}
KINDS = {"none": 1.0, "derived": 1.05, "shan-2007": 1.5}
"""How many times as fast each is as the application."""


def one(case: str, phase: str, round_: int, times_as_fast: float, moved: int) -> SampleRecord:
    found = sample(case, phase, bandwidth_bytes_per_s=moved * times_as_fast)
    way = {"bytes_written": 0, "bytes_read": moved, "cache": Cache(suspect=True)}
    if phase != "load":
        way = {"bytes_written": moved, "bytes_read": 0, "sync": "close"}
    # The machine drifts, and both go along.
    spent = (1 + round_ / 100) * moved / BYTES / times_as_fast
    for key, value in {**way, "bytes": moved, "elapsed_s": spent, "round": round_}.items():
        setattr(found, key, value)
    return found


def rows(
    kinds: dict[str, float] = KINDS, *, ranks: tuple[int, ...] = (1, 4), count: int = 11, moved: int = BYTES
) -> list[Row]:
    """Of the comparison `cmb`: phases `dump` and `dump 2`, written and synced, and `load`, cached."""
    records: list[AnyRecord] = []
    for number in ranks:
        for by, faster in kinds.items():
            name = f"{by}-{number}"
            replay = ReplayRecord(0.5, LOST if faster > 1.1 else {}, "files") if by != "none" else None
            options = {"imitation": by, "backend": "posix"}
            records.append(
                CaseRecord(
                    case=name,
                    benchmark="cmb",
                    ranks=number,
                    options=options,
                    comparisons=["cmb"],
                    replay=replay,
                )
            )
            for round_ in range(count):
                for phase in ("dump", "dump 2", "load", *(["files"] if replay else [])):
                    size = moved if by == "none" else BYTES
                    records.append(one(name, phase, round_, faster, size))
    return summarise(records).rows
