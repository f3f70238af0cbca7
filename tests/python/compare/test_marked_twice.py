"""Of several marked runs the last one counts."""

from dataclasses import replace
from pathlib import Path

from rows import row
from weir.analyse.metric import Metric
from weir.compare.history import series_in
from weir.compare.levels import RunLevels, row_key

RATE = Metric("updates_per_s", "UP/s", "update rate", greater_is_better=True)


def test_of_several_baselines_the_last_counts() -> None:
    one = replace(row("write", 1), metric=RATE)
    runs = [
        RunLevels(Path(str(at)), f"2026-11-{at + 1:02}", "n1", at in (1, 3), {row_key(one): 1.0})
        for at in range(5)
    ]
    (found,) = series_in(runs, {"Write": one})
    assert found.baseline == 3
