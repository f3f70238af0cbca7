"""What the shell is offered where a name is expected."""

import os
import sys
from pathlib import Path

import pytest

from running import ended
from weir.cli import _completion as completion
from weir.study.load import own_studies

WEIR = Path(sys.executable).with_name("weir")
STUDY = '[study]\nname = "mine"\ntitle = "Mine"\n[[comparison]]\nname = "wide"\noptional = true\n'


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with studies, runs and traces, and with what is none."""
    for name in ("mine.toml", "studies/other.toml", "studies/notes.txt", "far/down/deep.toml", "a b.toml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(STUDY)
    for name in ("runs/quick-1/run.json", "runs/half/nothing", "T/host-1.process", "mine-run/run.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def offered(*words: str) -> set[str]:
    """What bash is offered for the last word."""
    asked = {"_WEIR_COMPLETE": "complete_bash", "COMP_WORDS": " ".join(["weir", *words])}
    done = ended(WEIR, env={**os.environ, **asked, "COMP_CWORD": str(len(words))})
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return set(done.stdout.split())


@pytest.mark.usefixtures("place")
def test_studies_by_name_and_by_path() -> None:
    assert offered("run", "") == {*own_studies(), "mine.toml", "studies/other.toml"}
    assert completion.studies("ior") == ["ior-nersc"]
    assert completion.studies("studies/o") == ["studies/other.toml"]
    assert completion.studies("far/") == ["far/down/deep.toml"]
    assert completion.studies("./mi") == ["./mine.toml"]
    assert completion.studies("nothing-like-it") == completion.studies("no/such/folder/") == []


def test_a_study_that_is_offered_is_one_that_the_verb_takes(place: Path) -> None:
    from weir.study.load import find_study  # noqa: PLC0415

    assert all(find_study(name).is_file() for name in completion.studies(""))
    assert completion.studies(f"{place}/mi") == [f"{place}/mine.toml"]


@pytest.mark.usefixtures("place")
def test_runs_and_traces() -> None:
    assert completion.runs("") == ["mine-run", "runs/quick-1"]
    assert completion.runs("runs/") == ["runs/quick-1"]
    assert completion.traces("") == ["T"]
    assert completion.runs_and_traces("") == ["T", "mine-run", "runs/quick-1"]


@pytest.mark.usefixtures("place")
def test_what_depends_on_the_line() -> None:
    assert offered("run", "mine.toml", "--with", "") == {"wide"}
    assert offered("run", "no-such", "--with", "") == set()


def test_choices() -> None:
    assert {"mpirun"} <= set(completion.launchers(""))
    assert completion.one_of("svg", "png", "pdf")("p") == ["png", "pdf"]
    assert {"csv", "perfetto"} <= offered("export", "x", "--format", "")


def test_benchmarks_of_a_core_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEIR_CORE", "/nowhere")
    assert completion.benchmarks("") == []
