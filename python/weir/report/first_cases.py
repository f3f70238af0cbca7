"""The cases whose numbers a run's first screen will show, as far as that is known before anything is
measured: short time goes to them first."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from weir.measure.plan import Plan
from weir.report.network_headline import SMALL
from weir.results.network_rows import BENCHMARK as NETWORK
from weir.study.case import Case

STORAGE, HPCC = "storage", "hpcc"


def with_first(plan: Plan) -> Plan:
    """The plan with its first cases."""
    return replace(plan, first=first_cases(plan))


def first_cases(plan: Plan) -> frozenset[str]:
    """Their ids: as headline_rows() chooses among rows."""
    known = [case for case in plan.cases if case.replay is None and not case.options.get("pattern")]
    return frozenset(
        [
            *_of_storage([case for case in known if case.benchmark == STORAGE], plan),
            *_of_network([case for case in known if case.benchmark == NETWORK]),
            *_most([case for case in known if case.benchmark == HPCC], lambda case: case.ranks),
        ]
    )


def _of_storage(cases: Sequence[Case], plan: Plan) -> Iterable[str]:
    """Of the most data: one whose writes are synced, and one whose reads avoid the cache."""

    def size(case: Case) -> int:
        return plan.descriptions[case.id].totals.bytes_on_disk or 0

    yield from _most([case for case in cases if case.options.get("sync") != "never"], size)
    avoiding = [case for case in cases if case.options.get("cache") != "keep" or case.options.get("direct")]
    yield from _most(avoiding, size)


def _of_network(cases: Sequence[Case]) -> Iterable[str]:
    """Latency, bandwidth, and a barrier of the most ranks."""
    pings = [case for case in cases if case.options.get("function") == "PingPong" and case.options["bytes"]]
    barriers = [case for case in cases if case.options.get("function") == "Barrier"]
    yield from _most(pings, lambda case: -abs(case.options["bytes"] - SMALL))
    yield from _most(pings, lambda case: case.options["bytes"])
    yield from _most(barriers, lambda case: case.ranks)


def _most(cases: Sequence[Case], size: Callable[[Case], int]) -> list[str]:
    """The first of those with the most."""
    return [max(cases, key=size).id] if cases else []
