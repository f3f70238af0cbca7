"""How long a dump of the memory takes."""

import pytest

from evaluation.rows import GB
from rows import found, row
from weir.answers.answer import Quantity, Several
from weir.evaluation.questions.machine import judge_machine

CARD = {"memory": {"total_bytes": 64 * GB}}


def test_the_interval_of_a_dump_divides_by_that_of_the_rate() -> None:
    """The quickest write gives the shortest dump."""
    write = row("write", 1000.0, spread=0.1)
    (balance,) = (one for one in found(judge_machine, [write], CARD).answers if one.title == "Balance")
    assert isinstance(balance.value, Several)
    dump = dict(balance.value.values)["dump of memory"]
    assert isinstance(dump, Quantity)
    rate = 1000 * 2**20
    assert (dump.low, dump.median, dump.high) == pytest.approx(
        (64 * GB / (1.1 * rate), 64 * GB / rate, 64 * GB / (0.9 * rate))
    )
