"""Which launches of two cases are held against each other."""

from dataclasses import replace

import pytest

from hpcc_samples import hpcc_rows
from weir.ratios.derived import balance_rows


def test_a_case_that_lacks_a_round_pairs_by_the_others() -> None:
    """The machine gets faster from round to round: only samples of one round have the ratio."""
    rows = {row.phase: row for row in hpcc_rows() if row.phase in ("hpl", "star-copy")}
    copy = rows["star-copy"]
    copy = replace(copy, records=copy.records[1:], samples=copy.samples[1:])
    copy = replace(copy, benchmark="stream", phase="copy", case="copy")
    hpl = replace(rows["hpl"], benchmark="hpl", case="hpl")
    found = {row.phase: row for row in balance_rows([hpl, copy])}
    assert found["STREAM copy / HPL"].samples == pytest.approx([2 * 16 / 80] * 5)
