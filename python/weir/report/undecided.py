"""What a run leaves open of its study's questions and claims: the scheduler spends its time on it."""

from weir.errors import ExitCode
from weir.figures.figure import Finding, State
from weir.measure.study_run import Outcome
from weir.questions.claim import Verdict
from weir.questions.question import judge
from weir.report.gather import Contents, gather
from weir.report.section import answers_of
from weir.store.run_directory import RunDirectory


def open_cases(run: RunDirectory) -> frozenset[str]:
    """The cases whose samples would answer what is open of the study, by what the run holds now."""
    contents = gather(run)
    asked = (found.open_cases for found in _findings(contents))
    claims = (found.open_cases for name in contents.rows_by_figure for found in answers_of(name, contents))
    return frozenset().union(*asked, *claims)


def exit_code(outcome: Outcome) -> ExitCode:
    """That of the measurements; but fine where all cases are noisy and yet a question or claim is decided."""
    code = outcome.exit_code
    if code is not ExitCode.INCONCLUSIVE:
        return code
    contents = gather(outcome.run)
    states = [one.state for finding in _findings(contents) for one in finding.asked]
    verdicts = [found.verdict for name in contents.rows_by_figure for found in answers_of(name, contents)]
    decided = State.ANSWERED in states or {Verdict.HOLDS, Verdict.DOES_NOT_HOLD} & {*verdicts}
    return ExitCode.FINE if decided else code


def _findings(contents: Contents) -> list[Finding]:
    found = (judge(name, rows, contents.machine) for name, rows in contents.rows_by_figure.items())
    return [finding for finding in found if finding]
