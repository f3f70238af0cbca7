"""The table of a comparison, its JSON, and the exit code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from peers.bouts import Bout
from peers.busy import warn_if_busy
from peers.compare import Comparison, Verdict
from weir.analyse.statistics import MedianEstimate
from weir.cli._streams import print_json, print_table
from weir.units import significant

MIB = 1 << 20


@dataclass
class Outcome:
    """All that a comparison with a peer has to say."""

    peer: str
    bouts: Sequence[Bout] = ()
    skipped: Sequence[str] = ()
    """What could not be compared, and why."""
    busy_cores: float | None = None


def show(outcome: Outcome, *, json: bool) -> int:
    """Print everything; returns 1 where a goal was missed or our side failed, else 0."""
    peer, bouts, busy_cores = outcome.peer, outcome.bouts, outcome.busy_cores
    verdicts = Counter(one.verdict for bout in bouts for one in bout.comparisons().values() if not bout.over)
    if json:
        data = {"peer": peer, "busy_cores": busy_cores, "skipped": list(outcome.skipped)}
        print_json({**data, "bouts": [as_data(bout) for bout in bouts]})
    else:
        _show_table(outcome)
        print(f"{peer}: {count_verdicts(verdicts, 'nothing compared')}")
    warn_if_busy(busy_cores)
    return int(verdicts[Verdict.MISSED] > 0 or any(bout.failed for bout in bouts))


def _show_table(outcome: Outcome) -> None:
    for reason in outcome.skipped:
        print(f"skipped: {reason}")
    rows = [row for bout in outcome.bouts if not bout.over for row in _rows(bout)]
    if rows:
        print_table(("case", "phase", ">Weir", f">{outcome.peer}", "", ">ratio", ">n", "goal"), rows)
    for bout in outcome.bouts:
        if bout.skipped:
            print(f"skipped: {bout.name}: {outcome.peer} cannot: {bout.skipped}")
        if bout.failed:
            print(f"FAILED: {bout.name}: Weir cannot: {bout.failed}")


def _rows(bout: Bout) -> Iterator[list[str]]:
    for phase, one in bout.comparisons().items():
        unit = "MiB/s" if bout.unit == "B/s" else bout.unit
        scale = MIB if bout.unit == "B/s" else 1
        goal = f"at least {one.least:g}: {one.verdict.value}"
        yield [
            bout.name,
            bout.phases[phase],
            spell(one.ours, scale),
            spell(one.theirs, scale),
            unit,
            spell(one.ratio),
            str(one.ratio.count),
            goal + _remark(one),
        ]


def _remark(one: Comparison) -> str:
    if one.below:
        return " (intervals apart)"
    return " (uncertain)" if one.verdict is Verdict.MET and not one.settled else ""


def spell(estimate: MedianEstimate | None, scale: float = 1) -> str:
    """A median with its interval; empty without one."""
    if estimate is None:
        return ""
    median = significant(estimate.median / scale)
    if estimate.low is None or estimate.high is None:
        return f"{median} [no interval]"
    return f"{median} [{significant(estimate.low / scale)}, {significant(estimate.high / scale)}]"


def count_verdicts(verdicts: Mapping[Verdict, int], none: str) -> str:
    """How many there are of each; `none` if there is none at all."""
    return ", ".join(f"{verdicts[v]} {v.value}" for v in Verdict if verdicts[v]) or none


def as_data(bout: Bout) -> dict[str, Any]:
    """A bout with every sample."""
    return {
        "name": bout.name,
        "unit": bout.unit,
        "least": bout.least,
        "skipped": bout.skipped or None,
        "failed": bout.failed or None,
        "phases": {
            phase: {
                **asdict(one),
                "verdict": one.verdict.value,
                "settled": one.settled,
                "samples": asdict(bout.pairs[phase]),
            }
            for phase, one in bout.comparisons().items()
        },
    }
