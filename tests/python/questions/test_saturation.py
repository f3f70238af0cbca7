"""From where on little is gained, and claims about it."""

from dataclasses import replace
from typing import Any

import pytest

from rows import MIB, cached_read, found, row
from samples import RATE
from weir.answers.answer import Certainty, Quantity, Threshold
from weir.questions.claim import Verdict, make_rule
from weir.questions.saturation import judge_ranks, judge_transfer, main_curve
from weir.results.row import Row

SIZES = [1024, 65536, MIB, 16 * MIB]


def sweep(phase: str, speeds: list[float]) -> list:
    return [row(phase, speed, transfer=size) for size, speed in zip(SIZES, speeds, strict=True)]


def by_ranks(*speeds: float, phase: str = "write", **changes: Any) -> list[Row]:
    """A row of each speed, with 1, 2, 4 ... ranks."""
    return [row(phase, speed, ranks=2**at, **changes) for at, speed in enumerate(speeds)]


MORE_RANKS = {
    "it stays near its best": (by_ranks(100, 990, 1000, 1000), "2 ranks", "", Certainty.SURE, "keep"),
    "it grows to the end": (by_ranks(1, 10, 100, 1000), "8 ranks", "", Certainty.SURE, "try-more"),
    "it falls beyond the best": (by_ranks(500, 1000, 600), "2 ranks", "", Certainty.SURE, "falls"),
    "it loses little beyond the best": (by_ranks(500, 1000, 800), "2 ranks", "", Certainty.SURE, "keep"),
    "one rank is the best": (by_ranks(1000, 900, 500), "1 rank", "", Certainty.SURE, "falls"),
    "a dip before the best is no fall": (by_ranks(980, 500, 1000), "1 rank", "", Certainty.SURE, "keep"),
    "nor is one after which it is as good": (
        by_ranks(500, 1000, 600, 990),
        *("2 ranks", "", Certainty.SURE, "keep"),
    ),
    "noise leaves the point nearly certain": (
        [*by_ranks(500), *by_ranks(0, 1000, spread=0.2)[1:], *by_ranks(0, 0, 1090, spread=0.01)[2:]],
        *("2 ranks", "", Certainty.WITHIN, "keep"),
    ),
    "more noise makes a range": (
        [*by_ranks(500), *by_ranks(0, 1000, spread=0.3)[1:], *by_ranks(0, 0, 1090, spread=0.01)[2:]],
        *("2 ranks", "4 ranks", Certainty.WITHIN, "more-samples"),
    ),
}
OPEN = {
    "two points": (by_ranks(500, 900), "more-points", 0),
    "no interval": (by_ranks(5, 10, 10, spread=None, n=2), "more-samples", 2),
    "noise hides all of it": (by_ranks(1000, 1050, 1100, spread=0.3), "more-samples", 2),
}


@pytest.mark.parametrize(("rows", "at", "up_to", "certainty", "action"), MORE_RANKS.values(), ids=MORE_RANKS)
def test_from_where_on_little_is_gained(
    rows: list[Row], at: str, up_to: str, certainty: Certainty, action: str
) -> None:
    (said,) = found(judge_ranks, rows).answers
    assert said.subject == ("write",)
    assert (said.certainty, said.action) == (certainty, action)
    assert said.value == Threshold("ranks", at, up_to, rising=action == "try-more")
    assert bool(said.open_cases) is (certainty is not Certainty.SURE)


@pytest.mark.parametrize(("rows", "action", "cases"), OPEN.values(), ids=OPEN)
def test_what_is_not_known_is_open(rows: list[Row], action: str, cases: int) -> None:
    (said,) = found(judge_ranks, rows).answers
    assert (said.certainty, said.value, said.action) == (Certainty.OPEN, None, action)
    assert len(said.open_cases) >= cases and said.open_cases <= {one.case for one in rows}


def test_a_range_of_nearly_all_points_is_open() -> None:
    wide = [*by_ranks(500), *by_ranks(0, 900, 950, 1000, 1010, 1000, spread=0.4)[1:]]
    (said,) = found(judge_ranks, wide).answers
    assert (said.certainty, said.action) == (Certainty.OPEN, "more-samples") and said.open_cases


def test_reads_from_the_cache_say_nothing_of_the_storage() -> None:
    for methods, action in (((), "avoid-cache"), (("drop",), "cached-anyway")):
        rows = [
            replace(cached_read(speed, ranks=2**at), cache_methods=methods)
            for at, speed in enumerate((500, 900, 900))
        ]
        (said,) = found(judge_ranks, rows).answers
        assert (said.value, said.certainty, said.action) == (None, Certainty.OPEN, action)


def test_the_fall_is_told_with_its_share_and_place() -> None:
    (said,) = found(judge_ranks, by_ranks(980, 500, 1000, 600)).answers
    assert said.words == {"at": "8 ranks", "share": "60 %"}


def test_writes_and_reads_have_their_own_sizes() -> None:
    rows = sweep("write", [100, 990, 1000, 1000]) + sweep("read", [50, 100, 970, 1000])
    finding = found(judge_transfer, rows)
    assert [(one.subject, one.value) for one in finding.answers] == [
        (("write",), Threshold("transfer", "64 KiB")),
        (("read",), Threshold("transfer", "1 MiB")),
    ]
    assert [one.words for one in finding.answers] == [{"at": "64 KiB"}, {"at": "1 MiB"}]


def test_all_points_of_the_curve_are_numbers_with_what_is_known_of_them() -> None:
    finding = found(judge_ranks, by_ranks(500, 980, 1000, 600))
    assert finding.columns == ("phase", "rank count")
    assert [(one.subject[1], one.remark) for one in finding.numbers] == [
        ("1 rank", ""),
        ("2 ranks", "from here on within 10 %"),
        ("4 ranks", "best"),
        ("8 ranks", "60 % of the best"),
    ]
    first = finding.numbers[0].value
    assert isinstance(first, Quantity)
    assert (first.median, first.low, first.n) == (500 * MIB, 490 * MIB, 12)
    within = found(judge_ranks, MORE_RANKS["noise leaves the point nearly certain"][0]).numbers
    assert within[1].remark == "from here on within a factor of 1.38"


def test_of_many_phases_each_has_its_answer() -> None:
    alike = {"create": (1, 10, 10), "stat": (1, 10, 10), "unlink": (1, 2, 4)}
    rows = [one for phase, speeds in alike.items() for one in by_ranks(*speeds, phase=phase, metric=RATE)]
    finding = found(judge_ranks, rows)
    assert [(one.subject[0], one.action) for one in finding.answers] == [
        ("create", "keep"),
        ("stat", "keep"),
        ("unlink", "try-more"),
    ]
    assert finding.conditions == ""


def test_one_point_or_failed_cases_are_too_few_for_anything() -> None:
    assert judge_ranks(by_ranks(500), {}) is None
    assert judge_ranks([row("write", None, ranks=1), row("write", None, ranks=2)], {}) is None


def test_of_curves_of_one_length_the_honest_one_is_spoken_of() -> None:
    cached = [cached_read(9000, ranks=ranks, cache="keep") for ranks in (1, 2)]
    honest = [row("read", 1000, ranks=ranks, cache="drop") for ranks in (1, 2)]
    assert main_curve([*cached, *honest], "ranks", "read") == honest
    assert main_curve([*honest, *cached], "ranks", "read") == honest


def test_a_longer_curve_comes_before_an_honest_one() -> None:
    cached = [cached_read(9000, ranks=ranks, cache="keep") for ranks in (1, 2, 4)]
    honest = [row("read", 1000, ranks=ranks, cache="drop") for ranks in (1, 2)]
    assert main_curve([*honest, *cached], "ranks", "read") == cached


def decide(shape: str, rows: list[Row]) -> tuple[Verdict, str]:
    test = {"rule": "saturation", "along": "ranks", "shape": shape, "where": {"phase": "write"}}
    decision = make_rule(test).decide(rows, {})
    return decision.verdict, decision.why


@pytest.mark.parametrize(
    ("rows", "saturates", "falls"),
    [
        (by_ranks(500, 1000, 1000, 990, spread=0.01), Verdict.HOLDS, Verdict.DOES_NOT_HOLD),
        (by_ranks(500, 1000, 800, 600, spread=0.01), Verdict.HOLDS, Verdict.HOLDS),
        (by_ranks(500, 1000, 2000, 4000, spread=0.01), Verdict.DOES_NOT_HOLD, Verdict.CANNOT_BE_TOLD),
        (by_ranks(500, 1000, 1000, 950, spread=0.2), Verdict.CANNOT_BE_TOLD, Verdict.CANNOT_BE_TOLD),
        (by_ranks(500, 1000, spread=0.01), Verdict.CANNOT_BE_TOLD, Verdict.CANNOT_BE_TOLD),
        ([], Verdict.CANNOT_BE_TOLD, Verdict.CANNOT_BE_TOLD),
    ],
)
def test_shapes(rows: list[Row], saturates: Verdict, falls: Verdict) -> None:
    assert decide("saturates", rows)[0] is saturates
    assert decide("falls", rows)[0] is falls


def test_the_numbers_are_said() -> None:
    verdict, why = decide("falls", by_ranks(500, 1000, 800, 600, spread=0.01))
    assert verdict is Verdict.HOLDS
    assert why.startswith("the best is 1000 [990, 1010] MiB/s (n = 12) with 2 ranks, and beyond it 600")
    assert decide("saturates", [])[1] == "because it takes 3 points, and 0 were measured"


def test_a_fall_that_noise_could_have_made_is_none() -> None:
    # The median lies more than 5 % below the best, its interval does not.
    assert decide("falls", by_ranks(500, 1000, 940, spread=0.06))[0] is Verdict.CANNOT_BE_TOLD


def test_it_is_said_that_the_data_grew_with_the_ranks() -> None:
    grew = "Each rank moved 64 MiB: the data grew with the ranks."
    assert found(judge_ranks, by_ranks(500, 1000, 1000)).conditions.endswith(grew)
    constant = [replace(one, data_bytes=64 * MIB) for one in by_ranks(500, 1000, 1000)]
    assert "the data grew" not in found(judge_ranks, constant).conditions
