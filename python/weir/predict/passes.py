"""What one pass over a case took, by phase and direction: the unit in which a forecast and the application
are compared."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from weir.analyse.machine_state import samples_that_count
from weir.analyse.paired import Turn
from weir.store.records import AnyRecord, SampleRecord

WRITE, READ = "write", "read"
DIRECTIONS = (WRITE, READ)


@dataclass(frozen=True)
class Moved:
    """One direction of one phase: its bytes, and its part of the phase's time (s), from the first rank's
    start to the last one's end."""

    bytes: int
    time_s: float
    state: str
    """Whether the bytes were synced, or came from a cache."""

    @property
    def bandwidth(self) -> float | None:
        """B/s; None where no time passed."""
        return self.bytes / self.time_s if self.time_s > 0 else None


Pass = dict[tuple[str, str], Moved]
"""By phase and direction, of those that moved bytes."""


def passes(records: Iterable[AnyRecord], leave_out: Collection[str | None]) -> dict[str, dict[Turn, Pass]]:
    """Of each case, its passes by their turns, without the phases of these names. A pass of which a sample
    was set aside is left out: its sums would lack it."""
    found: dict[str, dict[Turn, Pass]] = {}
    for case, by_turn in samples_by_turn(records, leave_out).items():
        for turn, samples in by_turn.items():
            one = found.setdefault(case, {}).setdefault(turn, {})
            for sample in samples:
                one.update(_moved(sample))
    return found


def samples_by_turn(
    records: Iterable[AnyRecord], leave_out: Collection[str | None]
) -> dict[str, dict[Turn, list[SampleRecord]]]:
    """Of each case, the samples of its passes by their turns. A pass of which a sample was set aside is left
    out."""
    records = list(records)
    kept = {id(sample) for sample in samples_that_count(records)}
    found: dict[str, dict[Turn, list[SampleRecord]]] = {}
    spoilt: set[tuple[str, Turn]] = set()
    turns: Counter[tuple[str, int, str]] = Counter()
    for sample in records:
        if not isinstance(sample, SampleRecord) or sample.round is None or sample.phase in leave_out:
            continue
        key = (sample.case, sample.round, sample.phase)
        turn = (sample.round, turns[key])
        turns[key] += 1
        if id(sample) not in kept:
            spoilt.add((sample.case, turn))
        found.setdefault(sample.case, {}).setdefault(turn, []).append(sample)
    return {
        case: {turn: one for turn, one in by_turn.items() if (case, turn) not in spoilt}
        for case, by_turn in found.items()
    }


def _moved(sample: SampleRecord) -> Pass:
    time_s = sample.elapsed_s
    if time_s is None:
        return {}
    written, read = sample.bytes_written or 0, sample.bytes_read or 0
    share = _share_of_reads(sample) if written and read else float(bool(read))
    found = {}
    if written:
        found[sample.phase, WRITE] = Moved(written, time_s * (1 - share), write_state(sample))
    if read:
        found[sample.phase, READ] = Moved(read, time_s * share, read_state(sample))
    return found


def _share_of_reads(sample: SampleRecord) -> float:
    """A phase that reads and writes is divided as the time in its timed requests is; syncs are of writes."""
    spent = {
        name: (one.mean_s or 0.0) * (one.timed or 0)
        for name, one in (sample.latency or {}).items()
        if one is not None
    }
    sync = sample.times.get("sync")
    write_s = spent.get(WRITE, 0.0) + (sync.mean_s or 0.0 if sync else 0.0) * (sample.ranks or 1)
    read_s = spent.get(READ, 0.0)
    if not write_s + read_s:
        return (sample.bytes_read or 0) / max(sample.bytes or 0, 1)
    return read_s / (write_s + read_s)


SYNCED, UNSYNCED = "synced", "not synced"
CACHED, DEVICE, UNKNOWN = "cached", "from the device", "cache unknown"


def write_state(sample: SampleRecord) -> str:
    """Whether what was written had reached the device in the end."""
    return SYNCED if sample.sync in ("close", "write") else UNSYNCED


def read_state(sample: SampleRecord) -> str:
    """Where what was read came from."""
    suspect = sample.cache.suspect if sample.cache else None
    return UNKNOWN if suspect is None else CACHED if suspect else DEVICE
