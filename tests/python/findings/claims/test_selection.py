"""Which rows a claim speaks of."""

from rows import row
from weir.findings.claims.selection import select

ROWS = [row("write", 1000, ranks=1), row("write", 2000, ranks=2), row("read", 3000, ranks=4)]


def test_the_largest_is_that_of_the_rows_that_fit_otherwise() -> None:
    assert select(ROWS, {"phase": "write", "ranks": "largest"}) == [ROWS[1]]
    assert select(ROWS, {"ranks": "largest", "phase": "write"}) == [ROWS[1]]
    assert select(ROWS, {"phase": "write", "ranks": "smallest"}) == [ROWS[0]]


def test_rows_without_a_number_or_the_option_are_not_chosen() -> None:
    assert select([row("write", None)], {"phase": "write"}) == []
    assert select(ROWS, {"chunk": 1}) == []
