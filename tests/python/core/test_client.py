import os
from pathlib import Path

import pytest

from fakes import FAKE_CORE
from weir.core.client import Core, find_core
from weir.core.schema import Description
from weir.errors import WeirError
from weir.store.records import FailureRecord


def program(folder: Path, script: str) -> Path:
    path = folder / "weir-core"
    path.write_text("#!/bin/sh\n" + script)
    path.chmod(0o755)
    return path


def test_the_core_is_found_by_variable_then_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = program(tmp_path, "")
    monkeypatch.delenv("WEIR_CORE", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert find_core() == made
    monkeypatch.setenv("WEIR_CORE", str(FAKE_CORE))
    assert find_core() == FAKE_CORE
    monkeypatch.setenv("WEIR_CORE", str(tmp_path / "none"))
    with pytest.raises(WeirError, match="that is no program"):
        find_core()


def test_the_schema_is_asked_once_for_each_build(tmp_path: Path) -> None:
    count = tmp_path / "count"
    script = f'echo x >> {count}; echo \'{{"schema": 1, "version": "1", "benchmarks": []}}\''
    core = Core(program(tmp_path, script), tmp_path / "cache")
    assert core.schema().version == "1"
    assert core.schema().version == "1"
    assert count.read_text().count("x") == 1
    Core(program(tmp_path, script + "\n# rebuilt"), tmp_path / "cache").schema()
    assert count.read_text().count("x") == 2


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    assert Core(FAKE_CORE, blocked / "cache").schema().benchmark("storage") is not None


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("echo hello", "not JSON"),
        ("echo '{\"schema\": 9}'", "speaks schema 9"),
        ("echo broken >&2; exit 1", "ended with 1: broken"),
        ("exit 0", "printed nothing"),
    ],
)
def test_a_core_that_misbehaves_is_an_error_in_words(tmp_path: Path, script: str, why: str) -> None:
    with pytest.raises(WeirError, match=why):
        Core(program(tmp_path, script), tmp_path / "cache").schema()


def test_cases_are_described_and_contradictions_told(tmp_path: Path) -> None:
    core = Core(FAKE_CORE, tmp_path)
    fine = {"id": "a", "benchmark": "storage", "ranks": 2, "options": {"block": 1024, "transfer": 512}}
    wrong = {"id": "b", "benchmark": "storage", "ranks": 2, "options": {"block": 1024, "transfer": 1000}}
    answers = core.describe([fine, wrong])
    described, refused = answers["a"], answers["b"]
    assert isinstance(described, Description) and described.totals.bytes_written == 2048
    assert isinstance(refused, FailureRecord) and refused.exit_code == 2
