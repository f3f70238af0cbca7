"""The bench of change points: what counts as found, missed and false, and what is done without Otava."""

import random
from pathlib import Path

import change_points as bench
import pytest
from change_points import SHAPES, Counts, Shape, counted, made, normal, real_series, steps

TWO = steps("two", (10, 1.0), (10, 0.9), (10, 1.0))


@pytest.mark.parametrize(
    ("shape", "found", "counts"),
    [
        (TWO, [[10, 20], [11, 18]], Counts(4, 0, 0)),
        (TWO, [[10], [13, 20], []], Counts(2, 4, 1)),
        (steps("none", (30, 1.0)), [[], [4, 9]], Counts(0, 0, 2)),
        (Shape("drift", (1.0,) * 30, counts=False), [[3, 4, 5], []], Counts(1, 1, 0)),
    ],
)
def test_changes_are_found_missed_or_false(shape: Shape, found: list[list[int]], counts: Counts) -> None:
    assert counted(shape, found) == counts


def test_series_are_the_same_each_time_and_have_the_levels() -> None:
    for shape in SHAPES:
        first, again = (made(shape, normal, 3) for _ in range(2))
        assert first == again and {len(one) for one in first} == {len(shape.levels)}
    assert made(TWO, lambda _: 0.0, 1) == [list(TWO.levels)]
    draw = random.Random(1)
    assert 0.2 < sum(bench.bimodal(draw) > 0.1 for _ in range(500)) / 500 < 0.4


def test_without_otava_only_ours_are_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "_has_otava", lambda _: False)
    monkeypatch.setattr("sys.argv", ["change_points.py", "--trials", "1"])
    bench.main()
    lines = capsys.readouterr().out.splitlines()
    assert "not installed" in lines[0] and lines[2].split() == ["noise", "series", "changes", "weir"]
    assert len(lines) == 3 + 3 * len(SHAPES)


def test_real_series_are_the_numbers_of_files(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("made,value\n2026-11-01,1.5\n2026-11-02,2e-3\n")
    (tmp_path / "empty.csv").write_text("made,value\n")
    assert list(real_series(tmp_path)) == [("a.csv", [1.5, 2e-3])]
