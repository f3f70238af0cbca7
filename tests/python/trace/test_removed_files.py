"""Files that the recorder wrote, and that are gone from the trace: what was in them is not passed over."""

from collections.abc import Callable
from pathlib import Path

import pytest

from weir.explain.rule import lacks
from weir.explain.summarise import head_of
from weir.trace.open import open_trace

from .synthetic import packed, rows_of_rank, write_facts, write_trace

Damage = Callable[[Path], None]
KINDS = ("process", "names", "1.records")


def damaged_parts(path: Path) -> list[int]:
    """Of the caveats of a first screen."""
    return [one.count for one in lacks(head_of(open_trace(path))) if one.code == "damaged-trace"]


def two_ranks(folder: Path) -> Path:
    return write_trace(folder / "T", {rank: rows_of_rank(rank) for rank in (0, 1)})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", [Path, packed])
def test_a_file_that_is_gone_is_a_caveat(tmp_path: Path, kind: str, form: Callable[[Path], Path]) -> None:
    trace = two_ranks(tmp_path)
    assert damaged_parts(form(trace)) == []
    (trace / f"node-101-0.{kind}").unlink()
    assert damaged_parts(form(trace)) == [1]


@pytest.mark.parametrize("form", [Path, packed])
def test_a_process_that_was_killed_before_its_first_call_has_no_names(
    tmp_path: Path, form: Callable[[Path], Path]
) -> None:
    trace = write_trace(tmp_path / "T", {0: rows_of_rank(0), 1: []})
    (trace / "node-101-0.names").unlink()
    assert damaged_parts(form(trace)) == []


def test_what_the_processes_facts_hold_is_all_that_is_gone(tmp_path: Path) -> None:
    trace = two_ranks(tmp_path)
    (trace / "node-101-0.process").unlink()
    assert [one.code for one in lacks(head_of(open_trace(trace)))] == ["damaged-trace"]


@pytest.mark.parametrize(("facts", "gone"), [({"streams": 1}, 0), ({"streams": 4}, 3), ({"streams": -5}, 0)])
def test_the_facts_say_how_many_streams_there_were(tmp_path: Path, facts: dict[str, int], gone: int) -> None:
    trace = two_ranks(tmp_path)
    before = (trace / "node-101-0.process").read_text()
    write_facts(str(trace / "extra"), facts)
    (trace / "node-101-0.process").write_text(before + (trace / "extra.process").read_text())
    (trace / "extra.process").unlink()
    notes = [note for note in open_trace(trace).notes if "streams" in note]
    assert [note.rpartition(" ")[2] for note in notes] == ([f"{gone}."] if gone else [])


def test_streams_are_numbered(tmp_path: Path) -> None:
    trace = two_ranks(tmp_path)
    (trace / "node-101-0.1.records").rename(trace / "node-101-0.3.records")
    assert [note for note in open_trace(trace).notes if note.endswith("missing: 2.")]


def test_a_thread_whose_calls_were_only_counted_may_have_no_stream(tmp_path: Path) -> None:
    trace = two_ranks(tmp_path)
    path = trace / "node-101-0.process"
    path.write_text(path.read_text() + '{"lost":"POSIX pread","calls":3,"bytes":0,"ticks":9}\n')
    (trace / "node-101-0.1.records").unlink()
    assert damaged_parts(trace) == []
