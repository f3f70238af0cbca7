"""A run given to others shows its numbers, and not whose they are."""

import json
from pathlib import Path

import pytest

from synthetic_run import write_run
from weir.store.run_directory import RedactedRun, RunDirectory


@pytest.fixture
def run(tmp_path: Path) -> Path:
    made = write_run(tmp_path / "R")
    info = json.loads((made / "run.json").read_text())
    info["command"] += ["--dir", "/scratch/weir", "--with", "secret"]
    (made / "run.json").write_text(json.dumps(info))
    return made


def test_no_name_is_left(run: Path) -> None:
    redacted = RedactedRun(run)
    text = repr((redacted.info(), redacted.read(), redacted.study_text()))
    for name in ("/scratch", "secret", "'n1'", "/dev/vda"):
        assert name in repr((RunDirectory(run).info(), RunDirectory(run).read())), name
        assert name not in text


def test_the_numbers_are_the_same(run: Path) -> None:
    plain, redacted = RunDirectory(run).read(), RedactedRun(run).read()
    assert len(plain.records) == len(redacted.records) > 100
    for one, other in zip(plain.records, redacted.records, strict=True):
        assert type(one) is type(other)
        assert getattr(one, "metrics", None) == getattr(other, "metrics", None)
        assert getattr(one, "case", None) == getattr(other, "case", None)
