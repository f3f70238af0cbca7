"""What the screen of a run's status says: a verdict, the state of each job, what to do."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from weir.jobs.status import Course, JobStanding, Standing
from weir.units import count_words

UNSHARED = "no log: the run must be on storage that all nodes share"
"""Another job of the same run would find it no better."""


def verdict_words(found: Standing) -> str:
    """One line: how the run goes on, and how far it is."""
    if found.cases is None:
        return f"{found.course} · no case measured yet"
    parts = [f"{found.settled} of {count_words(found.cases, 'case')} settled"]
    parts += [f"{found.failed} failed"] if found.failed else []
    return " · ".join([str(found.course), *parts, count_words(found.samples, "sample")])


def state_words(one: JobStanding) -> str:
    """ "pending: Resources", "running, begun 2 times"."""
    reason = f": {one.state.reason}" if one.state and one.state.reason and not one.state.is_over else ""
    again = f", begun {len(one.job.begun)} times" if len(one.job.begun) > 1 else ""
    return f"{one.word}{reason}{again}"


def advice_words(run: Path, found: Standing) -> list[str]:
    """What to do next, each a line; for a run that goes on nothing but where its jobs speak."""
    lines = [f"the batch system does not answer: {found.no_answer}"] if found.no_answer else []
    if found.course is Course.COMPLETE:
        return [*lines, f"weir report {shlex.quote(str(run))}"]
    if found.jobs:
        lines.append(_log_words(found.jobs))
    if found.holder is not None and not found.jobs:
        lines.append(f"process {found.holder.pid} on {found.holder.host} carries it out")
    if found.simulated:
        lines.append("its samples are cut off: simulate again, or copy the run again")
    elif found.course is Course.STOPPED and UNSHARED not in lines:
        verb = "submit" if found.jobs else "run"
        lines.append(f"to go on, give `weir {verb}` again with the same --out")
    return lines


def _log_words(jobs: Sequence[JobStanding]) -> str:
    """Where the last job that ran, or will, speaks; or why there is nothing."""
    speaking = [one for one in jobs if not one.never_ran]
    if not speaking:
        return "no log: no job has run"
    log = Path(speaking[-1].job.submitted.log)
    if speaking[-1].is_over and not log.exists():
        return UNSHARED
    return f"log: {log}"
