"""A pattern that is not exact is told by whoever uses it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from mimic.made import nest, of_steps
from weir.cli._inexact import inexact_lines
from weir.cli.predict import _refuse_inexact
from weir.errors import ExitCode, WeirError
from weir.mimic.carrier import carrier
from weir.mimic.derive import derive
from weir.mimic.imitation import Imitation
from weir.pattern import Pattern
from weir.replay.prepare import ReplayRequest
from weir.results.inexact import inexact_of_cases
from weir.store.records import CaseRecord


def pattern(*why: str) -> Pattern:
    made = of_steps(nest(ranks=1, length=8), ranks=1)
    return Pattern(weir_pattern=1, name="p", ranks=1, inexact=why, files=made.files, phases=made.phases)


@dataclass
class Made:
    """What a refusal looks at of a forecast."""

    imitation: Imitation
    request: ReplayRequest


def forecasting(*why: str) -> Any:
    return cast(Any, Made(derive(pattern(*why)), ReplayRequest(Path("p.json"))))


def test_each_reason_is_a_line() -> None:
    said = "The pattern is not exactly what the program requested: "
    assert inexact_lines(pattern("a view is unknown", "calls were lost")) == [
        f"{said}a view is unknown.",
        f"{said}calls were lost.",
    ]
    assert inexact_lines(pattern()) == []


def test_cases_tell_each_reason_once_and_name_their_pattern_where_there_are_several() -> None:
    def case(number: int, name: str, *why: str) -> CaseRecord:
        options = {"pattern": f"/p/{name}"}
        return CaseRecord(case=str(number), benchmark="storage", options=options, inexact=list(why))

    said = "is not exactly what the program requested: calls were lost."
    assert inexact_of_cases([case(1, "p", "calls were lost"), case(2, "p", "calls were lost")]) == [
        f"The pattern {said}"
    ]
    assert inexact_of_cases([case(1, "p", "calls were lost"), case(2, "q")]) == [f"The pattern p {said}"]


def test_no_forecast_of_it_unless_asked() -> None:
    with pytest.raises(WeirError) as refused:
        _refuse_inexact(forecasting("a view is unknown"))
    assert refused.value.exit_code == ExitCode.USAGE
    assert "a view is unknown" in str(refused.value)
    assert "--inexact" in str(refused.value)
    _refuse_inexact(forecasting())


def test_an_imitation_of_it_is_inexact_too() -> None:
    assert carrier(derive(pattern("a view is unknown"))).inexact == ("a view is unknown",)
