"""The lines that a log gets while a study runs."""

from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest

from weir.cli._progress import PlainProgress
from weir.measure.events import LaunchEnded, Status


@pytest.mark.parametrize(
    ("elapsed_s", "said"), [(20.0, "at most 40.0 s left"), (60.0, "no time left"), (70.0, "no time left")]
)
def test_a_launch_ends_with_what_is_left_of_the_budget(elapsed_s: float, said: str) -> None:
    planned: Any = SimpleNamespace(round=1, states=[], spec=SimpleNamespace(ranks=2))
    stream = StringIO()
    PlainProgress(stream).tell(LaunchEnded(1, planned, 3.0), Status(elapsed_s=elapsed_s, budget_s=60.0))
    assert stream.getvalue().endswith(f"; {said}\n")
