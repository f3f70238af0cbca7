"""What a run leaves open of its first screen's numbers, and of its study's questions and claims: the
scheduler spends its time on it."""

from weir.answers.answer import Certainty
from weir.answers.quantities import quantity_answer
from weir.errors import ExitCode
from weir.figures.figure import Finding
from weir.measure.study_run import Outcome
from weir.questions.claim import Verdict
from weir.questions.question import judge
from weir.report.gather import Contents, gather
from weir.report.headline_rows import headline_rows
from weir.report.section import answers_of
from weir.results.row import Row
from weir.store.run_directory import RunDirectory


def open_cases(run: RunDirectory) -> frozenset[str]:
    """The cases whose samples would answer what is open of the study, or make a number of the first screen
    sure, by what the run holds now."""
    contents = gather(run)
    numbers = headline_rows(contents.rows).items()
    unsure = (row.case for label, row in numbers if row and not _is_sure(label, row))
    asked = (found.open_cases for found in _findings(contents))
    claims = (found.open_cases for name in contents.rows_by_figure for found in answers_of(name, contents))
    return frozenset(unsure).union(*asked, *claims)


def _is_sure(label: str, row: Row) -> bool:
    return quantity_answer(label, row).certainty is Certainty.SURE


def exit_code(outcome: Outcome) -> ExitCode:
    """That of the measurements; but fine where all cases are noisy and yet a question or claim is decided,
    and inconclusive where nodes were measured one by one and nothing can be told of them."""
    code = outcome.exit_code
    if code is ExitCode.FINE and any(state.case.node for state in outcome.states):
        return ExitCode.INCONCLUSIVE if _nothing_told(outcome.run) else code
    if code is not ExitCode.INCONCLUSIVE:
        return code
    contents = gather(outcome.run)
    found = [one for finding in _findings(contents) for one in finding.decided]
    verdicts = [found.verdict for name in contents.rows_by_figure for found in answers_of(name, contents)]
    decided = Certainty.SURE in found or {Verdict.HOLDS, Verdict.DOES_NOT_HOLD} & {*verdicts}
    return ExitCode.FINE if decided else code


def _nothing_told(run: RunDirectory) -> bool:
    """Whether all questions of a run are open."""
    found = [one for finding in _findings(gather(run)) for one in finding.decided]
    return bool(found) and not {Certainty.SURE, Certainty.WITHIN, Certainty.SIMULATED} & {*found}


def _findings(contents: Contents) -> list[Finding]:
    found = (judge(name, rows, contents.machine) for name, rows in contents.rows_by_figure.items())
    return [finding for finding in found if finding]
