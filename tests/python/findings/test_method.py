"""The methods against everything through rank 0."""

from rows import row
from weir.findings.method import judge_method
from weir.findings.row import Row


def of(method: str, speed: float) -> Row:
    return row("write", speed, method=method, benchmark="cloud")


def test_each_method_is_held_against_rank_0() -> None:
    finding = judge_method([of("two-phase", 3000), of("rank0", 1000), of("independent", 500)], {})
    assert finding is not None
    assert finding.title.startswith("Two-phase writes 3.00 times as fast as all through rank 0")
    assert [words.partition(":")[0] for words in finding.sentences] == [
        "Two-phase against all through rank 0",
        "Each rank its own pieces against all through rank 0",
    ]


def test_without_the_reference_or_a_method_there_is_nothing_to_say() -> None:
    assert judge_method([of("two-phase", 3000)], {}) is None
    assert judge_method([row("write", 1000)], {}) is None
