"""What is said of a study on its way, in words; shared by the ways to watch."""

from weir.analyse.metric import metric_of, value_of
from weir.analyse.statistics import verdict_words
from weir.drive.case_state import CaseState, Verdict
from weir.drive.events import CaseFailed, LaunchWarned, Status
from weir.errors import message
from weir.store.records import SampleRecord
from weir.study.case import Case
from weir.units import format_seconds


def name_of(case: Case) -> str:
    """The case for people."""
    comparison = case.comparisons[0] if case.comparisons else case.benchmark
    return comparison if case.label in ("", comparison) else f"{comparison}: {case.label}"


def position(status: Status) -> str:
    """How far the study is."""
    return f"[{status.settled}/{status.cases}]"


def time_left(status: Status) -> str:
    """The time it still takes at most."""
    return f"at most {format_seconds(status.at_most_left_s)} left"


def sample_in_words(sample: SampleRecord) -> str:
    """Phase and value, with the unit."""
    metric, value = metric_of(sample), value_of(sample)
    if metric is None or value is None:
        return sample.phase
    return f"{sample.phase} {metric.words(value)}"


def settled_in_words(state: CaseState) -> str:
    """Verdict and reason; the reason of a failure was told when it failed."""
    if state.verdict is Verdict.FAILED:
        return str(state.verdict)
    return f"{verdict_words(state.verdict, state.samples)}: {state.why}"


def failure_in_words(event: CaseFailed) -> str:
    """The failure with the case that it is of."""
    where = name_of(event.state.case) if event.state else "the whole launch"
    return f"failed: {where}: {event.failure.message}"


def warning_in_words(event: LaunchWarned) -> str:
    """The warning, the reason and the advice."""
    warning = event.warning
    return "warning: " + message(warning.problem, warning.why, warning.advice)
