"""Claims about curves."""

import pytest

from rows import row
from weir.findings.claims.claim import Verdict, make_rule
from weir.findings.row import Row


def curve(*speeds: float, spread: float | None = 0.01) -> list[Row]:
    return [row("write", speed, ranks=2**i, spread=spread) for i, speed in enumerate(speeds)]


def decide(shape: str, rows: list[Row]) -> tuple[Verdict, str]:
    test = {"rule": "saturation", "along": "ranks", "shape": shape, "where": {"phase": "write"}}
    decision = make_rule(test).decide(rows, {})
    return decision.verdict, decision.why


@pytest.mark.parametrize(
    ("rows", "saturates", "falls"),
    [
        (curve(500, 1000, 1000, 990), Verdict.HOLDS, Verdict.DOES_NOT_HOLD),
        (curve(500, 1000, 800, 600), Verdict.HOLDS, Verdict.HOLDS),
        (curve(500, 1000, 2000, 4000), Verdict.DOES_NOT_HOLD, Verdict.CANNOT_BE_TOLD),
        (curve(500, 1000, 1000, 950, spread=0.2), Verdict.CANNOT_BE_TOLD, Verdict.CANNOT_BE_TOLD),
        (curve(500, 1000), Verdict.CANNOT_BE_TOLD, Verdict.CANNOT_BE_TOLD),
        ([], Verdict.CANNOT_BE_TOLD, Verdict.CANNOT_BE_TOLD),
    ],
)
def test_shapes(rows: list[Row], saturates: Verdict, falls: Verdict) -> None:
    assert decide("saturates", rows)[0] is saturates
    assert decide("falls", rows)[0] is falls


def test_the_numbers_are_said() -> None:
    verdict, why = decide("falls", curve(500, 1000, 800, 600))
    assert verdict is Verdict.HOLDS
    assert why.startswith("the best is 1000 [990, 1010] MiB/s (n = 12) with 2 ranks, and beyond it 600")
    assert decide("saturates", [])[1] == "because it takes 3 points, and 0 were measured"


def test_a_fall_that_noise_could_have_made_is_none() -> None:
    # The median lies more than 5 % below the best, its interval does not.
    assert decide("falls", curve(500, 1000, 940, spread=0.02))[0] is Verdict.CANNOT_BE_TOLD
