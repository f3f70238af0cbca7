"""The environment may set the longest budget."""

import pytest

from weir.budget import LIMIT, STALL_LIMIT, asked_stall_limit_s, within_limit
from weir.errors import WeirError


@pytest.mark.parametrize(("limit", "allowed_s"), [(None, 240.0), ("", 240.0), ("2s", 2.0), ("1h", 240.0)])
def test_the_shorter_of_both(limit: str | None, allowed_s: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(LIMIT, raising=False)
    if limit is not None:
        monkeypatch.setenv(LIMIT, limit)
    assert within_limit(240.0) == allowed_s


def test_a_limit_that_is_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LIMIT, "20")
    with pytest.raises(WeirError, match=r"WEIR_BUDGET_LIMIT is '20'.*unit is missing"):
        within_limit(240.0)


@pytest.mark.parametrize(("limit", "asked_s"), [(None, None), ("", None), ("10m", 600.0)])
def test_a_stall_limit(limit: str | None, asked_s: float | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(STALL_LIMIT, raising=False)
    if limit is not None:
        monkeypatch.setenv(STALL_LIMIT, limit)
    assert asked_stall_limit_s() == asked_s


@pytest.mark.parametrize("limit", ["20", "0s", "soon"])
def test_a_stall_limit_that_is_no_time(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(STALL_LIMIT, limit)
    with pytest.raises(WeirError, match="WEIR_STALL_LIMIT is"):
        asked_stall_limit_s()
