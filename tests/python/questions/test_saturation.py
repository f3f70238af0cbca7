"""Saturation in words, and claims about it."""

from dataclasses import replace
from typing import Any

import pytest

from rows import MIB, cached_read, found, row
from samples import RATE
from weir.questions.claim import Verdict, make_rule
from weir.questions.saturation import judge_ranks, judge_transfer, main_curve
from weir.results.row import Row

SIZES = [1024, 65536, MIB, 16 * MIB]


def sweep(phase: str, speeds: list[float]) -> list:
    return [row(phase, speed, transfer=size) for size, speed in zip(SIZES, speeds, strict=True)]


def by_ranks(*speeds: float, phase: str = "write", **changes: Any) -> list[Row]:
    """A row of each speed, with 1, 2, 4 ... ranks."""
    return [row(phase, speed, ranks=2**at, **changes) for at, speed in enumerate(speeds)]


ALIKE = {"create": (1, 10, 10), "stat": (1, 10, 10), "unlink": (1, 2, 4)}
FINDINGS: dict[str, tuple[Any, list[Row], str, list[str]]] = {
    "the size from which bandwidth stays near its best": (
        judge_transfer,
        sweep("write", [100, 990, 1000, 1000]) + sweep("read", [50, 100, 970, 1000]),
        "Writes saturate at 64 KiB transfers and reads saturate at 1 MiB transfers",
        ["(n = 12)", "against 100 [98.0, 102] MiB/s (n = 12) with 1 KiB transfers"],
    ),
    "equal findings are said in one breath": (
        judge_transfer,
        sweep("write", [1, 10, 100, 1000]) + sweep("read", [1, 10, 100, 1000]),
        "Writes and reads grow up to 16 MiB transfers (the largest tried)",
        ["no saturation seen"],
    ),
    "of many phases those that behave alike are said together": (
        judge_ranks,
        [one for phase, speeds in ALIKE.items() for one in by_ranks(*speeds, phase=phase, metric=RATE)],
        "Creates and stats saturate at 2 ranks and unlinks grow up to 4 ranks (the most tried)",
        [],
    ),
    "a fall beyond the best is said": (
        judge_ranks,
        by_ranks(500, 1000, 600),
        "Writes saturate at 2 ranks and fall to 60 % with 4 ranks",
        ["it falls again, to 600 [588, 612] MiB/s (n = 12) with 4 ranks."],
    ),
    "only what comes after the best falls again": (
        judge_ranks,
        by_ranks(980, 500, 1000, 600),
        "Writes do not grow beyond 1 rank and fall to 60 % with 8 ranks",
        ["; it dips to 500 [490, 510] MiB/s (n = 12) with 2 ranks; it falls again, to 600 [588, 612]"],
    ),
    "a dip before the best is no fall": (
        judge_ranks,
        by_ranks(980, 500, 1000),
        "Writes do not grow beyond 1 rank",
        ["with 4 ranks; it dips to 500 [490, 510] MiB/s (n = 12) with 2 ranks."],
    ),
    "nor is one after the best where more ranks are as good again": (
        judge_ranks,
        by_ranks(500, 1000, 600, 990),
        "Writes saturate at 2 ranks",
        ["; it dips to 600 [588, 612] MiB/s (n = 12) with 4 ranks."],
    ),
    "one rank is the best, and more lose half": (
        judge_ranks,
        by_ranks(1000, 900, 500),
        "Writes do not grow beyond 1 rank and fall to 50 % with 4 ranks",
        ["the best is 1000 [980, 1020] MiB/s (n = 12) with 1 rank; it falls, to 500"],
    ),
    "two points are too few": (
        judge_ranks,
        by_ranks(500, 900),
        "Writes have too few rank counts to determine saturation",
        ["500 [490, 510] MiB/s (n = 12) with 1 rank"],
    ),
    "without any interval no saturation is claimed": (
        judge_ranks,
        by_ranks(5, 10, 10, spread=None, n=2),
        "Writes have too few samples to determine saturation",
        [],
    ),
    "a point that noise leaves nearly certain is one within a factor": (
        judge_ranks,
        [*by_ranks(500), *by_ranks(0, 1000, spread=0.2)[1:], *by_ranks(0, 0, 1090, spread=0.01)[2:]],
        "Writes saturate at 2 ranks within a factor of 1.38",
        ["from 2 ranks on, 1000 [800, 1200] MiB/s (n = 12), nothing is better by more than a factor of 1.38"],
    ),
    "with more noise it makes a range": (
        judge_ranks,
        [*by_ranks(500), *by_ranks(0, 1000, spread=0.3)[1:], *by_ranks(0, 0, 1090, spread=0.01)[2:]],
        "Writes saturate between 2 ranks and 4 ranks",
        [],
    ),
    "where noise hides all of it that is said": (
        judge_ranks,
        by_ranks(1000, 1050, 1100, spread=0.3),
        "Writes vary too much to say from which rank count on they saturate",
        [],
    ),
}


@pytest.mark.parametrize(("judge", "rows", "title", "said"), FINDINGS.values(), ids=FINDINGS)
def test_saturation_in_words(judge: Any, rows: list[Row], title: str, said: list[str]) -> None:
    finding = found(judge, rows)
    assert finding.title == title
    assert all(words in finding.sentences[0] for words in said)
    assert finding.conditions == "" or rows[0].metric is not RATE


def test_one_point_or_failed_cases_are_too_few_for_anything() -> None:
    assert judge_ranks(by_ranks(500), {}) is None
    assert judge_ranks([row("write", None, ranks=1), row("write", None, ranks=2)], {}) is None


def test_of_several_curves_it_is_said_which() -> None:
    rows = [
        row("write", speed, ranks=ranks, backend=name)
        for name, speed in (("posix", 1000), ("hdf5", 500))
        for ranks in (1, 2)
    ]
    finding = found(judge_ranks, rows)
    assert finding.sentences[0].startswith("Write, synced at close, POSIX: ")
    alone = judge_ranks(rows[:2], {})
    assert alone is not None and alone.sentences[0].startswith("Write, synced at close: ")


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
    grown = found(judge_ranks, by_ranks(500, 1000, 1000)).sentences
    assert grown[-1] == "Each rank moved 64 MiB, so that the data grew with the ranks."
    constant = [replace(one, data_bytes=64 * MIB) for one in by_ranks(500, 1000, 1000)]
    assert "the data grew" not in " ".join(found(judge_ranks, constant).sentences)


def test_what_holds_for_writes_and_reads_is_said_once() -> None:
    both = by_ranks(500, 1000, 1000) + [
        replace(one, phase="read", moves="read", cache_methods=("drop",)) for one in by_ranks(500, 900, 900)
    ]
    said = found(judge_ranks, both).sentences
    assert len(said) == 3
    assert " ".join(said).count("the data grew with the ranks") == 1
