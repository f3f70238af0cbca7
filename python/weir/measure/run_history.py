"""What a run already holds of its cases, for going on with it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from weir.measure.sample_log import SampleLog
from weir.measure.stopping_rule import CaseState, Verdict
from weir.store.records import AnyRecord, CaseRecord, FinishedRecord, LeftOutRecord, Record
from weir.study.case import Case

SETTLED = (Verdict.PRECISE, Verdict.INCONCLUSIVE)
"""With samples enough."""


@dataclass
class RunHistory:
    """What was found in a run's samples."""

    states: list[CaseState]
    recorded: dict[str, CaseRecord] = field(default_factory=dict)
    last_round: int = 0
    left_out: list[dict[str, Any]] = field(default_factory=list)
    """What was left out before, as the run holds it."""
    log: SampleLog = field(default_factory=SampleLog)


def read_history(cases: Sequence[Case], records: Iterable[AnyRecord], min_samples: int = 0) -> RunHistory:
    """The states of the cases. Precise, inconclusive and simulated ones stay settled; failed ones are open
    again, and those that the budget left with fewer than `min_samples`."""
    states = {case.id: CaseState(case) for case in cases}
    finished: dict[str, FinishedRecord] = {}
    past = RunHistory(list(states.values()))
    for record in records:
        past.last_round = max(past.last_round, _round_of(record))
        past.log.note(record)
        match record:
            case CaseRecord():
                past.recorded[record.case] = record
            case LeftOutRecord():
                past.left_out.append(
                    {"label": record.label, "comparisons": record.comparisons, "why": record.why}
                )
            case FinishedRecord():
                finished[record.case] = record
    past.log.sort_into(past.states)
    for case_id, end in finished.items():
        if case_id not in states:
            continue
        enough = states[case_id].samples >= min_samples and end.verdict in SETTLED
        if enough or end.verdict == Verdict.SIMULATED:
            states[case_id].settle(Verdict(end.verdict), end.why)
    return past


def _round_of(record: Record) -> int:
    return record.round or 0
