"""How far off a forecast is to be expected, in words and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from weir.units import count_words

if TYPE_CHECKING:
    from weir.mimic.imitation import Imitation
    from weir.predict.expected_error import Expected


def expected_of(imitation: Imitation, preset: str | None) -> Expected | None:
    """By what is known of other programs; None with a preset, of which nothing is known."""
    from weir.predict.expected_error import expected, kind_of
    from weir.predict.known_forecasts import known_forecasts

    if preset:
        return None
    kind = kind_of(imitation.fidelity.as_data(), random_sizes=imitation.has_random_sizes)
    return expected(kind, known_forecasts().observed())


def error_words(found: Expected | None) -> str:
    """ "expected error -12 % to +18 % (90 %, n = 20 programs)"."""
    if found is None:
        return "expected error not known"
    ends = f"{percent(found.low)} to {percent(found.high)}"
    sure = f"{100 * found.probability:.0f} %"
    return f"expected error {ends} ({sure}, n = {count_words(found.workloads, 'program')})"


def error_data(found: Expected | None) -> dict[str, Any] | None:
    """For `--json`."""
    if found is None:
        return None
    return {
        "error": found.error,
        "low": found.low,
        "high": found.high,
        "probability": found.probability,
        "programs": found.workloads,
        "of_kind": found.of_kind,
    }


def percent(share: float) -> str:
    """ "-12 %"."""
    return f"{100 * share:+.0f} %"
