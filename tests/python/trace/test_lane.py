"""Many short lanes as one batch: of each call the same as its lane alone says."""

from dataclasses import fields, replace

import numpy as np

from made_trace import CallRow, lane
from weir.trace.batch import Batch
from weir.trace.lane import Clock, Lane, batches_of, communicators_of


def lanes_of_their_own(count: int) -> list[Lane]:
    """Lanes of few calls, whose clocks, tables of names and numbers of calls differ."""
    random = np.random.default_rng(5)
    made = []
    for number in range(count):
        rows: list[CallRow] = [("pwrite", i % 3, 7 * i, 7 * i + 5, i, 1, 1, 0) for i in range(number % 4)]
        clock = Clock(number - 3, 10**15 * number, [1.0, 2.5, 1 / 3][number % 3])
        tables = [random.integers(0, 50, size) for size in (3 + number % 5, 1 + number % 3, 2)]
        made.append(replace(lane(number, rows), clock=clock, **dict(zip(NAMES, tables, strict=True))))
    return made


NAMES = ("call_index", "file_index", "communicator_index")


def test_each_call_is_as_in_its_lane_alone() -> None:
    lanes = lanes_of_their_own(40)
    alone = [one.batch(number, 0, len(one.records)) for number, one in enumerate(lanes)]
    for size in (1, 7, 1000):
        batches = list(batches_of(lanes, size))
        for column in fields(Batch):
            together, single = (
                np.concatenate([getattr(batch, column.name) for batch in some]) for some in (batches, alone)
            )
            assert np.array_equal(together, single), column.name
        communicators = np.concatenate([communicators_of(lanes, batch) for batch in batches])
        assert np.array_equal(communicators, np.concatenate([one.communicator(one.records) for one in lanes]))
    assert len(batches) == 1
