"""`weir network model` and `weir network refine` from the outside."""

import json
import re
from pathlib import Path

import pytest

from network.made_run import case, launch, lines, sample, write_run
from verbs import weir_here
from weir.network.loggp import Call


def test_the_model_is_shown_drawn_and_kept(tmp_path: Path) -> None:
    write_run(tmp_path / "RUN", lines())
    picture, profile = tmp_path / "p.svg", tmp_path / "profile.json"
    drawn = ("--picture", picture, "--into", profile)
    done = weir_here("network", "model", tmp_path / "RUN", "--all", *drawn)
    assert done.exit_code == 0, done.output
    assert "two ranks of a common last-level cache: 3 ranges, 1 switch" in done.output
    assert "time after 2,048 to 4,096 B, times" in done.output
    assert re.search(r"other calls predicted within 15 % +5 of 5", done.output)
    assert "message size" in picture.read_text() and "2,048 to 4,096 B" in picture.read_text()
    (path,) = json.loads(profile.read_text())["network"]["paths"]
    assert len(path["ranges"]) == 3
    told = json.loads(weir_here("network", "model", tmp_path / "RUN", "--json").output)
    assert told["paths"] == [path]
    rows = {one["shown"]["title"]: one["value"] for one in told["first_screen"]["answers"]}
    assert [*rows] == [
        "Small messages, common cache",
        "Large messages, common cache",
        "Other calls within 15 %, common cache",
        "Jump in time, common cache",
    ]
    assert rows["Other calls within 15 %, common cache"] == {"kind": "count", "count": 5, "of": 5}
    least, most = path["ranges"][0], path["ranges"][-1]
    assert rows["Small messages, common cache"]["median"] == pytest.approx(least["start_s"])
    assert rows["Large messages, common cache"]["median"] == pytest.approx(most["bytes_per_s"])
    jump = rows["Jump in time, common cache"]
    assert (jump["at"], jump["up_to"]) == ("2 KiB", "4 KiB")


def test_one_size_and_one_sample_make_a_model_without_intervals(tmp_path: Path) -> None:
    one = Call("PingPong", 0)
    write_run(tmp_path / "RUN", [case(one), launch(1), sample(one, 1, 1e-6)])
    done = weir_here("network", "model", tmp_path / "RUN", "--all")
    assert done.exit_code == 0 and "1 range, 0 switches" in done.output
    assert "launches: 1; an interval takes 6" in done.output


@pytest.mark.parametrize("verb", ["model", "refine"])
def test_a_run_of_something_else_is_refused(tmp_path: Path, verb: str) -> None:
    write_run(tmp_path / "RUN", [])
    done = weir_here("network", verb, tmp_path / "RUN")
    assert done.exit_code == 6 or "no sample of PingPong" in str(done.exception)


def test_a_run_without_samples_shows_that(tmp_path: Path) -> None:
    write_run(tmp_path / "RUN", [])
    done = weir_here("show", tmp_path / "RUN")
    assert "no sample was taken" in done.output


def test_tune_says_that_there_is_no_guideline_to_check(tmp_path: Path) -> None:
    write_run(tmp_path / "RUN", lines())
    done = weir_here("network", "tune", tmp_path / "RUN")
    assert done.exit_code == 6 or "no guideline can be checked" in str(done.exception)
