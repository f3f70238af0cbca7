"""Among many rows a doubt of the last runs is as rare as among few."""

import math
from dataclasses import replace

from rows import row
from weir.analyse.metric import Metric
from weir.compare.history import Series, course

RATE = Metric("updates_per_s", "UP/s", "update rate", greater_is_better=True)


def test_a_row_among_many_is_doubted_less_readily() -> None:
    logs = [0.03, -0.03] * 10 + [-0.15]
    made = tuple(f"2026-01-{day:02}T02:00:00Z" for day in range(1, len(logs) + 1))
    one = Series("Write", replace(row("write", 1), metric=RATE), made, tuple(map(math.exp, logs)))
    alone = course(one, 0.05, 1.1).perhaps
    assert alone and alone.at == 20
    assert course(one, 0.05 / 500, 1.1).perhaps is None
