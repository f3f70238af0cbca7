import json
from pathlib import Path

import pytest

from synthetic_run import write_run
from weir.errors import WeirError
from weir.store.records import CaseRecord, SampleRecord
from weir.store.run_directory import RedactedRun, RunDirectory, RunInfo, StudyWords

INFO = RunInfo(
    weir_version="0",
    created_at="2026-11-20T00:00:00Z",
    command=["weir"],
    study=StudyWords(name="s"),
    directory="/x",
)


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    made = RunDirectory(tmp_path / "deep" / "run")
    made.prepare()
    made.create(INFO, "[study]\n")
    return made


def test_what_is_written_is_read_back(run: RunDirectory) -> None:
    with run.writer() as writer:
        writer.append({"kind": "case", "case": "a", "benchmark": "b", "options": {"block": 1}})
        writer.append({"kind": "sample", "case": "a", "phase": "read", "elapsed_s": 1, "new_key": 1})
        writer.append({"kind": "of the future"})
    case, sample = run.read().records
    assert isinstance(case, CaseRecord) and case.options == {"block": 1}
    assert isinstance(sample, SampleRecord) and sample.elapsed_s == 1.0
    assert run.info() == INFO


def test_all_that_a_sample_says_of_latency_and_time_is_read(run: RunDirectory) -> None:
    latency = {"timed": 2, "operations": 8, "p50_s": 1e-3, "p99_s": None, "histogram": [[1e-3, 1], [2e-3, 1]]}
    with run.writer() as writer:
        writer.append(
            {
                "kind": "sample",
                "case": "a",
                "phase": "write",
                "latency": {"write": latency},
                "timeline": {"interval_s": 0.1, "bytes": [1, 2]},
                "system": {"write_calls": 8, "user_s": 0.1, "voluntary_switches": None},
                "hints_asked": [{"hint": "cb_nodes", "value": "2", "in_force": "1", "state": "changed"}],
            }
        )
    (sample,) = run.read().records
    assert isinstance(sample, SampleRecord) and sample.latency and sample.timeline and sample.hints_asked
    assert sample.latency["write"].histogram == [(1e-3, 1), (2e-3, 1)]
    assert sample.timeline.bytes == [1, 2] and sample.hints_asked[0].state == "changed"
    assert sample.system == {"write_calls": 8, "user_s": 0.1, "voluntary_switches": None}
    assert sample.tail_cut is None


def test_lines_that_cannot_be_read_are_counted(run: RunDirectory) -> None:
    run.samples_path.write_text('{"kind":"begin","case":"a"}\nrubbish\n{"kind":"sample","case":3}\n')
    reading = run.read()
    assert (len(reading.records), reading.damaged_lines) == (1, [2, 3])


def test_launches_are_numbered_on(run: RunDirectory) -> None:
    assert run.next_launch_number() == 1
    (run.logs_path / "launch-0007.json").touch()
    assert run.next_launch_number() == 8


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WeirError, match=r"no run\.json"):
        RunDirectory(tmp_path).info()
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(WeirError, match=r"is not a run \(it holds 'thesis\.tex'"):
        RunDirectory(tmp_path).prepare()


def test_files_whose_names_begin_like_a_pattern_are_no_run(tmp_path: Path) -> None:
    (tmp_path / "patterns.txt").touch()
    with pytest.raises(WeirError, match=r"is not a run \(it holds 'patterns\.txt'"):
        RunDirectory(tmp_path).prepare()


def test_a_run_of_another_schema_is_refused(run: RunDirectory) -> None:
    (run.path / "run.json").write_text('{"schema": 3}')
    with pytest.raises(WeirError, match="schema is 3"):
        run.info()


def test_a_creation_that_was_killed_can_be_repeated(tmp_path: Path) -> None:
    run = RunDirectory(tmp_path / "run")
    run.prepare()
    run.logs_path.mkdir()
    run.samples_path.touch()
    RunDirectory(tmp_path / "run").prepare()


def test_a_run_of_no_study_is_damaged(run: RunDirectory) -> None:
    told = run.path / "run.json"
    told.write_text(told.read_text().replace('"name"', '"nam"'))
    with pytest.raises(WeirError, match="name"):
        run.info()


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    made = write_run(tmp_path / "R")
    info = json.loads((made / "run.json").read_text())
    info["command"] += ["--dir", "/scratch/weir", "--with", "secret"]
    (made / "run.json").write_text(json.dumps(info))
    return made


def test_no_name_is_left(shared: Path) -> None:
    redacted = RedactedRun(shared)
    text = repr((redacted.info(), redacted.read(), redacted.study_text()))
    for name in ("/scratch", "secret", "'n1'", "/dev/vda"):
        assert name in repr((RunDirectory(shared).info(), RunDirectory(shared).read())), name
        assert name not in text


def test_the_numbers_are_the_same(shared: Path) -> None:
    plain, redacted = RunDirectory(shared).read(), RedactedRun(shared).read()
    assert len(plain.records) == len(redacted.records) > 100
    for one, other in zip(plain.records, redacted.records, strict=True):
        assert type(one) is type(other)
        assert getattr(one, "metrics", None) == getattr(other, "metrics", None)
        assert getattr(one, "case", None) == getattr(other, "case", None)
