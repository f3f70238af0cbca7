"""The drawing engine is a process of its own: its death is told, and the next one draws."""

import io
import json
import resource
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from running import ended
from synthetic_run import write_run
from verbs import WEIR
from weir.errors import WeirError
from weir.figures.engine import Engine, engine

pytestmark = pytest.mark.usefixtures("draws")

SPEC = json.dumps({"mark": "point", "data": {"values": [{"a": 1}]}, "encoding": {"x": {"field": "a"}}})


def test_it_draws_in_each_format() -> None:
    assert engine().vegalite_to_svg(SPEC).startswith("<svg")
    assert engine().vegalite_to_png(SPEC, scale=1.0).startswith(b"\x89PNG")
    assert engine().vegalite_to_pdf(SPEC).startswith(b"%PDF")
    assert engine() is engine()


def test_a_spec_that_is_none_is_told_and_the_engine_lives() -> None:
    first = engine()
    with pytest.raises(ValueError, match="vl_convert: "):
        first.vegalite_to_svg('{"mark": 7}')
    assert engine() is first and first.vegalite_to_svg(SPEC).startswith("<svg")


def test_control_characters_of_names_are_shown_and_no_end_of_it() -> None:
    spec = {**json.loads(SPEC), "title": "a\x1b[31m and \\u001b, 30 %"}
    drawn = engine().vegalite_to_svg(json.dumps(spec))
    assert r"a\x1b[31m" in drawn and "\x1b" not in drawn


def test_its_death_is_told_and_another_one_is_started() -> None:
    dying = Engine()
    dying._child.kill()
    with pytest.raises(WeirError, match="the drawing engine ended by SIGKILL"):
        dying.vegalite_to_svg(SPEC)
    assert engine().vegalite_to_svg(SPEC).startswith("<svg")


def test_a_report_under_a_small_limit_is_one_without_figures(tmp_path: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))

    run = write_run(tmp_path / "R")
    done: subprocess.CompletedProcess[str] = ended(*WEIR, "report", run, preexec_fn=limit)
    assert done.returncode == 0, done.stderr
    assert "the page has no figures (the drawing engine ended by SIG" in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert (run / "report.html").stat().st_size > 0


@pytest.mark.parametrize(
    "last",
    [
        b"Failed to retrieve conversion result: oneshot canceled",
        b"Failed to send SVG conversion request: send failed because receiver is gone",
    ],
)
def test_an_engine_whose_worker_died_is_told_as_one_that_died(
    monkeypatch: pytest.MonkeyPatch, last: bytes
) -> None:
    dying = Engine()
    said = b"conversion failed\n" + last
    child = SimpleNamespace(
        stdin=io.BytesIO(), stdout=io.BytesIO(b"error %d\n" % len(said) + said), kill=lambda: None
    )
    child.wait = lambda: 0
    dying.close()
    monkeypatch.setattr(dying, "_child", child)
    with pytest.raises(WeirError, match=r"could not go on: vl_convert: Failed .* open files"):
        dying.vegalite_to_svg(SPEC)


@pytest.mark.parametrize("most", [8, 12, 14])
def test_a_report_with_few_open_files_is_one_without_figures(tmp_path: Path, most: int) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

    run = write_run(tmp_path / "R")
    done: subprocess.CompletedProcess[str] = ended(*WEIR, "report", run, preexec_fn=limit)
    assert done.returncode == 0, done.stderr
    assert "the page has no figures (the drawing engine " in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
