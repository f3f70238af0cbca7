"""The evaluation from end to end, with the fake core under the fake mpirun, and its pure parts alone."""

import datetime
import json
import shutil
from pathlib import Path

import pytest

from verbs import weir_here
from weir import evaluate as module
from weir.answers.answer import Certainty
from weir.cli._screen import screen_lines
from weir.cli.evaluate import _show
from weir.core.client import Core
from weir.errors import Interrupted, WeirError
from weir.evaluate import (
    Evaluation,
    choose_out,
    chosen,
    evaluate,
    exit_code,
    fit_plan,
    plan_for_this_machine,
    resume_command,
)
from weir.evaluation.selection import Selection
from weir.launch.base import Launcher
from weir.measure.events import NobodyWatches
from weir.measure.plan import Plan, make_plan
from weir.measure.stopping_rule import CaseState, Verdict
from weir.measure.study_run import Outcome, Settings, run_study
from weir.store.run_directory import RunDirectory
from weir.study.case import Case
from weir.study.load import load_study

MIB = 1 << 20
STUDY = """
[study]
name = "small"
title = "Two sizes"
budget = "20s"
max_samples = 6

[fixed]
benchmark = "storage"
ranks = 2

[[comparison]]
name = "transfer"
figure = "transfer"
axes = { transfer = ["64KiB", "256KiB", "1MiB"] }

[[comparison]]
name = "large"
axes = { block = ["64MiB"] }
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    path = tmp_path / "small.toml"
    path.write_text(STUDY)
    return path


@pytest.fixture
def storage(tmp_path: Path) -> Path:
    path = tmp_path / "storage"
    path.mkdir()
    return path


@pytest.fixture
def plan(fake_core: Path, study: Path, storage: Path) -> Plan:
    return make_plan(load_study(study), Core(fake_core), storage)


@pytest.mark.parametrize(
    ("disk_bytes", "memory_bytes", "left_out", "why"),
    [
        (100 * MIB, 1 << 40, 1, "half of the free space, 50 MiB"),
        # The cache takes memory too.
        (1 << 40, 100 * MIB, 1, "a quarter of the free memory, 25 MiB"),
        (None, None, 0, ""),
    ],
)
def test_cases_too_large_for_the_machine_are_left_out_and_said(
    plan: Plan, disk_bytes: int | None, memory_bytes: int | None, left_out: int, why: str
) -> None:
    fitted = fit_plan(plan, disk_bytes, memory_bytes)
    assert fitted.left_out == left_out and len(fitted.plan.cases) == 4 - left_out
    assert why in fitted.why


def test_where_nothing_fits_nothing_runs(
    fake_core: Path, study: Path, storage: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "free_disk", lambda path: 1000)
    with pytest.raises(WeirError, match="nothing can be measured") as caught:
        plan_for_this_machine(Evaluation(storage, None, None, study=str(study)), Core(fake_core))
    assert caught.value.exit_code == 2


def test_a_new_run_is_named_by_study_and_time() -> None:
    now = datetime.datetime(2026, 11, 20, 16, 40, 5)
    assert choose_out(Evaluation(Path("/s"), None, None), now) == Path("runs/machine-20261120-164005")
    assert choose_out(Evaluation(Path("/s"), Path("mine"), None), now) == Path("mine")


def test_the_command_to_go_on_survives_a_shell() -> None:
    command = resume_command(Evaluation(Path("/data big"), None, None), Path("runs/a"))
    assert command == "weir evaluate --dir '/data big' --out runs/a"
    shorter = resume_command(Evaluation(Path("/s"), None, 90.0), Path("runs/a"))
    assert shorter == "weir evaluate --dir /s --out runs/a --budget 1m30s"
    some = Selection(("memory", "storage"), {"storage": 0.5}, full=True)
    again = resume_command(Evaluation(Path("/s"), None, None, selection=some), Path("runs/a"))
    assert again == "weir evaluate --dir /s --out runs/a --only memory,storage --time storage=50% --full"


@pytest.fixture
def wish(fake_core: Path, study: Path, storage: Path, tmp_path: Path) -> Evaluation:
    return Evaluation(storage, tmp_path / "run", 20.0, study=str(study))


def test_measured_and_reported_in_one_go(
    wish: Evaluation, storage: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome, written = evaluate(wish, NobodyWatches(), ["weir", "evaluate"])
    assert written.page == tmp_path / "run" / "report.html"
    assert "<title>Two sizes" in written.page.read_text()
    assert all(state.samples >= 6 for state in outcome.states)
    assert list(storage.iterdir()) == []
    # A person is told what the first screen has and where the report is.
    capsys.readouterr()
    _show(written)
    lines = capsys.readouterr().out.splitlines()
    assert lines[:-2] == screen_lines(written.report.screen) and len(written.report.screen.rows) > 2
    assert lines[-1] == str(written.page)


PARTS = """
[study]
name = "parts"
budget = "20s"
max_samples = 6
figure = "whole-machine"

[[part]]
name = "storage"
title = "Storage"
share = "50%"

[[part]]
name = "network"
title = "Network"
share = "30%"

[[part]]
name = "compute"
title = "Compute"
share = "20%"

[[comparison]]
name = "ranks"
part = "storage"
fixed = { benchmark = "storage" }
axes = { ranks = "1 to cores" }

[[comparison]]
name = "ping-pong"
part = "network"
if_crowded = "leave out"
fixed = { benchmark = "storage", ranks = 2, segments = 2 }

[[comparison]]
name = "products"
part = "compute"
fixed = { benchmark = "storage", segments = 3, fake = "fail" }
"""


def test_parts_that_cannot_be_measured_are_rows_with_the_reason(
    fake_core: Path, storage: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("weir.measure.plan.usable_cores", lambda: 1)
    study = tmp_path / "parts.toml"
    study.write_text(PARTS)
    outcome, written = evaluate(
        Evaluation(storage, tmp_path / "run", None, study=str(study)), NobodyWatches(), ["weir", "evaluate"]
    )
    rows = {row.title: row for row in written.report.screen.rows}
    assert rows["Network"].words == {"why": "it takes 2 cores, and 1 can be used"}
    assert rows["Compute"].words["why"].startswith("cannot write")
    assert {rows[name].certainty for name in ("Network", "Compute")} == {Certainty.NOT_MEASURED}
    assert rows["Storage"].action == "tell-source", "the rest is measured, though nothing is known of it"
    assert all(state.samples >= 6 for state in outcome.states if state.verdict is not Verdict.FAILED)
    assert exit_code(outcome) == 3
    assert "axes = { ranks = [1] }" in (tmp_path / "run" / "study.toml").read_text()


def test_an_earlier_run_of_the_storage_goes_on_as_that(
    wish: Evaluation, tmp_path: Path, study: Path, storage: Path
) -> None:
    study.write_text(STUDY.replace('name = "small"', 'name = "quick"'))
    evaluate(wish, NobodyWatches(), ["weir", "evaluate"])
    assert chosen(storage, tmp_path / "run", None, "mpirun", Selection()).study == "quick"
    assert chosen(storage, tmp_path / "new", None, "mpirun", Selection()).study == "machine"
    assert chosen(storage, tmp_path / "run", None, "mpirun", Selection(("memory",))).study == "machine"


def test_without_mpirun_one_rank_alone_is_measured(
    storage: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert chosen(storage, None, None, "mpirun", Selection()).launcher == "alone"
    assert "there is no mpirun" in capsys.readouterr().err
    assert chosen(storage, None, None, "slurm", Selection()).launcher == "slurm"


def test_interrupted_it_says_how_to_go_on(
    wish: Evaluation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*arguments: object) -> None:
        raise Interrupted(15)

    monkeypatch.setattr(module, "run_study", interrupted)
    with pytest.raises(Interrupted):
        evaluate(wish, NobodyWatches(), ["weir", "evaluate"])
    assert f"--out {tmp_path / 'run'}" in capsys.readouterr().err


def test_a_run_that_is_removed_before_its_report_is_told_as_that(
    wish: Evaluation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def removed(plan: Plan, core: Core, launcher: Launcher, settings: Settings) -> Outcome:
        outcome = run_study(plan, core, launcher, settings)
        shutil.rmtree(tmp_path / "run")
        return outcome

    monkeypatch.setattr(module, "run_study", removed)
    with pytest.raises(WeirError, match="was removed while it was being made") as told:
        evaluate(wish, NobodyWatches(), ["weir", "evaluate"])
    assert told.value.exit_code == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("evaluate /a --dir /b", "two directories"),
        ("evaluate /nowhere/at/all", "does not exist"),
        ("evaluate / --only memry", "there is no part 'memry'"),
        ("doctor /nowhere/at/all", "/nowhere/at/all"),
    ],
)
def test_directories_that_will_not_do_are_refused_before_anything_else(words: str, said: str) -> None:
    result = weir_here(*words.split())
    assert result.exit_code == 2 and said in result.stderr


def test_doctor_prints_json_with_warnings(fake_core: Path, storage: Path) -> None:
    result = weir_here("doctor", storage, "--json")
    assert result.exit_code == 0
    machine = json.loads(result.stdout)["machine"]
    assert machine["directory"] == str(storage)
    if machine["file_system"] is not None:  # in a chroot, no mount that can be seen holds the root
        assert machine["file_system"]["total_bytes"] > 0


@pytest.mark.parametrize(("verdict", "code"), [(Verdict.INCONCLUSIVE, 0), (Verdict.FAILED, 3)])
def test_noise_is_no_failure_and_a_failed_case_is_one(tmp_path: Path, verdict: Verdict, code: int) -> None:
    state = CaseState(Case("a", "storage", 1, {}, {}), values={"write": [1.0]}, verdict=verdict)
    assert exit_code(Outcome(RunDirectory(tmp_path), [state], [], 1)) == code
