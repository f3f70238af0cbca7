"""Claims about the end of the page cache."""

import pytest

from rows import MIB, cached_read, row
from weir.findings.claims.claim import Verdict, make_rule
from weir.findings.row import Row

FAST = [cached_read(9000, block=100 * MIB), cached_read(8800, block=400 * MIB)]
SLOW = row("read", 1000, block=800 * MIB, cache_methods=())


@pytest.mark.parametrize(
    ("rows", "memory_mib", "verdict"),
    [
        ([*FAST, SLOW], 1000, Verdict.HOLDS),
        (FAST, 1000, Verdict.CANNOT_BE_TOLD),
        (FAST, 500, Verdict.DOES_NOT_HOLD),
        (FAST, None, Verdict.CANNOT_BE_TOLD),
        ([], 1000, Verdict.CANNOT_BE_TOLD),
    ],
)
def test_a_cliff_is_seen_or_denied_only_beyond_the_memory(
    rows: list[Row], memory_mib: int | None, verdict: Verdict
) -> None:
    card = {"memory": {"available_bytes": memory_mib * MIB}} if memory_mib else {}
    test = {"rule": "cliff", "where": {"phase": "read"}}
    assert make_rule(test).decide(rows, card).verdict is verdict
    opposite = {Verdict.HOLDS: Verdict.DOES_NOT_HOLD, Verdict.DOES_NOT_HOLD: Verdict.HOLDS}
    denied = make_rule(test | {"seen": False}).decide(rows, card).verdict
    assert denied is opposite.get(verdict, verdict)
