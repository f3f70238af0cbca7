"""A curve has a point a rank count."""

from evaluation.rows import case_rows
from weir.evaluation.curves import curves_of


def test_of_several_cases_of_a_rank_count_the_first_counts() -> None:
    rows = [
        row
        for number, rate in ((1, 10e9), (2, 20e9))
        for row in case_rows("stream", 2, "copy", {"number": number}, bandwidth_bytes_per_s=rate)
    ]
    (curve,) = curves_of(rows)
    assert [row.median for row in curve.rows] == [20e9], "2 ranks of 10 GB/s"
