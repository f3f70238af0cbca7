"""Which curve a finding speaks of."""

from rows import cached_read, row
from weir.findings.finding import main_curve


def test_of_curves_of_one_length_the_honest_one_is_spoken_of() -> None:
    cached = [cached_read(9000, ranks=ranks, cache="keep") for ranks in (1, 2)]
    honest = [row("read", 1000, ranks=ranks, cache="drop") for ranks in (1, 2)]
    assert main_curve([*cached, *honest], "ranks", "read") == honest
    assert main_curve([*honest, *cached], "ranks", "read") == honest


def test_a_longer_curve_comes_before_an_honest_one() -> None:
    cached = [cached_read(9000, ranks=ranks, cache="keep") for ranks in (1, 2, 4)]
    honest = [row("read", 1000, ranks=ranks, cache="drop") for ranks in (1, 2)]
    assert main_curve([*honest, *cached], "ranks", "read") == cached
