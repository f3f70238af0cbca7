"""Which cases the time goes to that is left, and when a noisy run counts as decided."""

from pathlib import Path

import pytest

import synthetic_run
from weir.answers import answer as questions
from weir.answers.answer import Certainty
from weir.errors import ExitCode
from weir.figures.figure import Finding
from weir.measure.study_run import Outcome
from weir.questions.claim import Answer, Verdict
from weir.report import undecided
from weir.report.gather import gather
from weir.report.headline_rows import headline_rows
from weir.report.section import make_sections
from weir.report.undecided import exit_code, open_cases
from weir.store.run_directory import RunDirectory


def run_of(folder: Path, noise: float) -> RunDirectory:
    return RunDirectory(synthetic_run.write_run(folder, synthetic_run.World(noise=noise), "ior-nersc"))


def test_the_cases_of_a_claim_in_doubt_are_wanted(tmp_path: Path) -> None:
    run = run_of(tmp_path, noise=0.5)
    (like_posix,) = [
        answer
        for section in make_sections(gather(run))
        for answer in section.answers
        if "MPI-IO writes very much like POSIX" in answer.says
    ]
    rows = {row.case: row for row in gather(run).rows}
    assert {rows[case].options["backend"] for case in like_posix.open_cases} == {"posix", "mpiio"}
    assert like_posix.open_cases <= open_cases(run)
    assert "open_cases" not in like_posix.as_data()


def test_the_numbers_of_the_first_screen_are_wanted_until_they_are_sure(tmp_path: Path) -> None:
    noisy, sure = (run_of(tmp_path / name, noise) for name, noise in (("noisy", 0.9), ("sure", 0.01)))
    for run, wanted in ((noisy, True), (sure, False)):
        rows = [row for row in headline_rows(gather(run).rows).values() if row]
        assert rows and all((row.case in open_cases(run)) == wanted for row in rows)


@pytest.mark.parametrize(("noise", "code"), [(0.01, ExitCode.FINE), (5.0, ExitCode.INCONCLUSIVE)])
def test_a_run_is_inconclusive_if_it_decides_nothing(tmp_path: Path, noise: float, code: ExitCode) -> None:
    run = run_of(tmp_path, noise)
    outcome = Outcome(run, states=[], failures=[], measured=1)
    assert outcome.exit_code is ExitCode.INCONCLUSIVE, "no case is precise"
    assert exit_code(outcome) is code


@pytest.mark.parametrize(
    ("verdict", "code"),
    [
        (Verdict.HOLDS, ExitCode.FINE),
        (Verdict.DOES_NOT_HOLD, ExitCode.FINE),
        (Verdict.CANNOT_BE_TOLD, ExitCode.INCONCLUSIVE),
    ],
)
def test_a_claim_alone_decides_a_run_by_either_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verdict: Verdict, code: ExitCode
) -> None:
    claim = Answer("Bassi", "figure 5", "alike", verdict, "", "")
    monkeypatch.setattr(undecided, "answers_of", lambda name, contents: [claim])
    outcome = Outcome(run_of(tmp_path, noise=5.0), states=[], failures=[], measured=1)
    assert exit_code(outcome) is code


@pytest.mark.parametrize("certainty", [*Certainty])
@pytest.mark.parametrize("decides", [True, False])
def test_a_question_decides_a_run_only_if_it_is_surely_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, certainty: Certainty, *, decides: bool
) -> None:
    """Neither within a factor, nor by a mere number."""
    answers = (
        questions.Answer("layout", ("write",), certainty=Certainty.OPEN),
        questions.Answer("layout", ("read",), certainty=certainty, decides=decides),
    )
    monkeypatch.setattr(undecided, "answers_of", lambda name, contents: [])
    monkeypatch.setattr(undecided, "_findings", lambda contents: [Finding(answers)])
    outcome = Outcome(run_of(tmp_path, noise=5.0), states=[], failures=[], measured=1)
    decided = decides and certainty is Certainty.SURE
    assert exit_code(outcome) is (ExitCode.FINE if decided else ExitCode.INCONCLUSIVE)
