"""The first screen of a trace: what ran, what stands out, on terminals and as data."""

from dataclasses import replace

import pytest

from made_trace import CallRow, lane, trace
from weir.answers.answer import Cost
from weir.cli.explain import show, show_all
from weir.explain.first_screen import explained, program_of
from weir.explain.summarise import head_of, summarise
from weir.explain.summary import TraceSummary

from .critical_path.made import of_ranks
from .critical_path.test_path import ONE_FLUSHES

HEAD = head_of(trace(lane(0, [("pwrite", 1, 0, 10, 0, 8, 8, 0)])))
RANDOM: list[CallRow] = [
    ("pread", 1, 10 * i, 10 * i + 10, 4096 * (i * 7919 % 2000), 4096, 4096, 0) for i in range(2000)
]


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("mpirun --oversubscribe -np 4 ./app input", "app input"),
        ("/usr/bin/mpirun.openmpi -n 2 /opt/codes/app -x /data/in", "app -x /data/in"),
        ("env OUT=/tmp/x ./app", "app"),
        ("mpirun --hostfile /etc/hosts ./app", "mpirun --hostfile /etc/hosts ./app"),
        ("mpirun -np 4 python3 app.py", "mpirun -np 4 python3 app.py"),
        ("/opt/codes/app in", "app in"),
        ("app " + 60 * "x", "app " + 36 * "x" + "…"),
        ("", "made"),
    ],
)
def test_the_program_stands_without_its_launcher_where_it_is_clear(command: str, program: str) -> None:
    assert program_of(replace(HEAD, name="made", command=command)) == program


def one_flushes() -> TraceSummary:
    return summarise(replace(of_ranks(*ONE_FLUSHES), command="mpirun -np 2 ./app"))


def test_the_rank_that_all_wait_for_is_the_first_row() -> None:
    found = explained(one_flushes())
    assert found.screen.place[:2] == ("app", "2 ranks on node")
    assert [(one.question, one.subject) for one in found.screen.rows] == [
        ("serial", ("rank 0", "a")),
        ("flushes", ("a",)),
    ]
    first, second = (one.value for one in found.screen.rows)
    assert isinstance(first, Cost) and isinstance(second, Cost)
    assert first.of_run is not None and second.of_run is not None and 0.89 < second.of_run < first.of_run
    assert [one.code for one in found.screen.caveats] == ["overlap"]


@pytest.mark.parametrize("columns", [40, 60, 80, 200])
def test_it_fits_the_terminal(
    columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    summary = one_flushes()
    show(summary, explained(summary), "weir explain T --all")
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines[:-1])) <= min(columns, 80)
    assert len(lines) <= 13 or columns < 80, "and a line for the page"
    assert "2,000 fflush" in " ".join(" ".join(lines).split())


def test_more_answers_than_rows_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    summary = summarise(trace(lane(0, RANDOM)))
    found = explained(summary)
    many = replace(found.screen, rows=found.screen.rows[:1] * 6, others=3)
    show(summary, replace(found, screen=many), "weir explain T --all")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 13 and lines[-1].startswith("3 more rows, all numbers and tables")


def test_everything_has_each_answer_with_its_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    summary = one_flushes()
    found = explained(summary)
    show_all(summary, found)
    out = capsys.readouterr().out
    lines = {" ".join(line.split()) for line in out.splitlines()}
    assert {"flushes 2,000", "mean write 8 B", "2,000 fflush 180 µs"} <= lines
    assert "Operations, over all ranks" in out


def test_data_has_all_answers_and_what_they_cost() -> None:
    data = explained(one_flushes()).data()
    first = data["answers"][0]
    assert (first["question"], first["subject"], first["action"]) == ("serial", ["rank 0", "a"], "share-out")
    assert first["value"]["kind"] == "cost" and 0 < first["value"]["of_run"] <= 1
    assert {"label": "ranks that wait", "value": 1, "unit": "", "shown": "1"} in first["evidence"]
    assert data["caveats"][0]["code"] == "overlap"
