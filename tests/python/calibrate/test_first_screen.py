"""The first screen of a calibration, of machines of arithmetic."""

from pathlib import Path

import pytest

from weir.answers.answer import Answer, Certainty, Quantity, Threshold
from weir.answers.words import action_of, caveat_words, title_of, value_of
from weir.calibrate.first_screen import first_screen
from weir.cli._screen import screen_lines

from .machines import Machine
from .simulation import Stage, play, usual


def rows(folder: Path, stage: Stage, **more: float) -> dict[str, Answer]:
    screen = first_screen(play(folder, stage, **more))  # type: ignore[arg-type]
    lines = screen_lines(screen)
    assert len(lines) <= 12 and max(map(len, lines)) <= 80
    return {title_of(one): one for one in screen.rows}


def test_the_size_to_use_stands_first_and_the_bandwidths_below_it(tmp_path: Path) -> None:
    found = rows(tmp_path, Stage(usual()))
    assert [*found][:3] == ["File size a rank", "Write", "Read"]
    size = found["File size a rank"]
    assert size.value == Threshold("block", "16 GiB or more") and size.certainty is Certainty.SURE
    assert action_of(size) == "use --block 16GiB"
    read = found["Read"]
    assert isinstance(read.value, Quantity) and read.value.median == pytest.approx(2e9, rel=0.1)
    assert (read.action, read.words) == ("cache-ends", {"times": "5.0"})


def test_without_a_cache_no_size_is_faster(tmp_path: Path) -> None:
    found = rows(tmp_path, Stage(Machine()))
    assert found["Write"].action == found["Read"].action == "no-cliff"


def test_short_files_that_do_are_named_by_their_options(tmp_path: Path) -> None:
    found = rows(tmp_path, Stage(usual(write_cache=0)))
    short = [one for one in found.values() if one.question == "short-files"]
    assert {one.subject for one in short} == {('sync = "close", cache = "drop"',), ("direct = true",)}
    assert {value_of(one) for one in short} == {"64 MiB"}


def test_what_was_not_found_is_open_with_its_reason(tmp_path: Path) -> None:
    found = play(tmp_path, Stage(usual()), budget_s=0.001)
    screen = first_screen(found)
    assert [(one.question, one.value, one.certainty) for one in screen.rows] == [
        ("file-size", None, Certainty.OPEN)
    ]
    assert [one.code for one in screen.caveats] == ["no-size", "no-plateau", "no-plateau"]
    assert all("the time of 1.00 ms is used up" in caveat_words(one) for one in screen.caveats[1:])


def test_a_mode_that_is_refused_is_a_caveat_that_changes_no_verdict(tmp_path: Path) -> None:
    screen = first_screen(play(tmp_path, Stage(usual(write_cache=0), refuses="direct")))
    assert [one.words["mode"] for one in screen.folded_caveats] == ["direct = true"]
    assert screen.open_caveats == ()
