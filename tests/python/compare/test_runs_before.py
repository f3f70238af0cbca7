"""What earlier runs tell of a pair: how much runs of the reference differ, and not how `one` differs."""

from dataclasses import replace

from rows import row
from weir.analyse.metric import Metric
from weir.compare.matching import Pair
from weir.compare.standings import Verdict, standings

RATE = Metric("updates_per_s", "UP/s", "update rate", greater_is_better=True)


def samples(level: float) -> tuple[float, ...]:
    return tuple(level * (1 + 0.001 * at) for at in range(-5, 6))


def test_runs_before_stand_with_the_reference() -> None:
    """They are like it: a fall by a third is sure, and is no spread of theirs."""
    one, other = (replace(row("write", 1), metric=RATE, samples=samples(level)) for level in (0.7, 1.0))
    before = tuple(samples(level) for level in (1.01, 0.99, 1.0, 1.02, 0.98))
    found = Pair(one, other, (one.samples,), (other.samples,), history=before)
    assert standings([found], assumed=0.3)[0].verdict is Verdict.WORSE
