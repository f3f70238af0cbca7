"""All samples of a run with the probes between them: only those of the machine's main state count."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from weir.analyse.machine_state import Course
from weir.analyse.metric import steering_value
from weir.measure.stopping_rule import CaseState, Goals, Verdict, judge
from weir.store.records import AnyRecord, SampleRecord


@dataclass
class SampleLog:
    """The samples in their order, of earlier times too."""

    _course: Course = field(default_factory=Course)
    _taken: list[tuple[str, str, float | None]] = field(default_factory=list)
    """Case, phase and value of each."""

    def note(self, record: AnyRecord) -> None:
        """Take note of the next record of the run."""
        self._course.note(record)
        if isinstance(record, SampleRecord):
            self._taken.append((record.case, record.phase, steering_value(record)))

    def sort_into(self, states: Iterable[CaseState]) -> None:
        """Give each case its values: those of the main state, which may be another than before."""
        by_case = {state.case.id: state for state in states}
        aside: Counter[tuple[str, str]] = Counter()
        for state in by_case.values():
            state.values, state.set_aside = {}, 0
        for (case, phase, value), tag in zip(self._taken, self._course.sort().tags, strict=True):
            if value is None or case not in by_case or tag.unfinished:
                continue
            values = by_case[case].values.setdefault(phase, [])
            if tag.kept:
                values.append(value)
            else:
                aside[case, phase] += 1
        for (case, _), count in aside.items():
            by_case[case].set_aside = max(by_case[case].set_aside, count)

    def reopen(self, states: Iterable[CaseState], goals: Goals) -> int:
        """Let cases go on that were settled by samples that are set aside now; returns their number."""
        again = [
            state
            for state in states
            if state.set_aside
            and state.verdict in (Verdict.PRECISE, Verdict.INCONCLUSIVE)
            and judge(state, goals) is None
        ]
        for state in again:
            state.verdict, state.why = None, ""
        return len(again)
