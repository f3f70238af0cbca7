"""Which cases of a run would decide what is still open: the scheduler spends its time on them."""

from weir.questions.question import judge
from weir.report.gather import gather
from weir.store.run_directory import RunDirectory


def open_cases(run: RunDirectory) -> frozenset[str]:
    """The cases whose samples would answer what is open of the study, by what the run holds now."""
    contents = gather(run)
    findings = (judge(name, rows, contents.machine) for name, rows in contents.rows_by_figure.items())
    return frozenset().union(*(found.open_cases for found in findings if found))
