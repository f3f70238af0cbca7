"""In which calls an application's ranks spend their I/O time, here and on machines of which it is printed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from weir.analyse.metric import Metric
from weir.analyse.modes import find_modes
from weir.analyse.statistics import FEWEST_SAMPLES
from weir.answers.answer import Answer, Certainty, Number, Quantity, Ratio
from weir.answers.quantities import single
from weir.figures.encoding import nominal, panel_spec
from weir.figures.figure import Card, Finding, Panel, Spec
from weir.figures.operation_colours import OPERATIONS
from weir.io_account.account import IoAccount, io_account
from weir.io_account.words import size_words
from weir.questions.question import figure
from weir.results.printed import Printed
from weir.results.row import Row
from weir.results.words import label_by
from weir.units import format_seconds, format_share

HERE = "here"
ROW_HEIGHT = 64
SIZE = frozenset({"cells", "ranks", "ranks_along"})
TABLE = "calls"
DOING = {
    "open": "opening",
    "close": "closing",
    "read": "reading",
    "write": "writing",
    "seek": "seeking",
    "sync": "syncing",
}
CONDITIONS = (
    "Averages over the ranks, of this machine the sum of medians; communication includes waiting for other "
    "ranks. A write ends when its call returns, wherever the data are then."
)
COMPUTING = Metric("compute_s", "s", "computing", greater_is_better=False)
UPDATES = Metric("cell_updates_per_s", "1/s", "updates of cells", greater_is_better=True)
WEIGHT = 0.1
"""On a first screen, where a way that is 10 times as fast weighs 1."""


@dataclass(frozen=True)
class IoTime:
    """The average seconds a rank spends in each operation that takes time, on one machine."""

    machine: str
    by_operation: Mapping[str, float]

    @property
    def total_s(self) -> float:
        """In all operations."""
        return sum(self.by_operation.values())

    @property
    def longest(self) -> str:
        """The operation that takes most of it."""
        return max(self.by_operation, key=lambda name: self.by_operation[name])

    def share(self, operation: str) -> float:
        """Of the whole."""
        return self.by_operation.get(operation, 0.0) / self.total_s


@dataclass(frozen=True)
class IoCase:
    """Runs of an application: how they are labelled among the others, their calls, and the times of each
    machine, this one's first; none of one without any time."""

    name: str
    account: IoAccount
    times: tuple[IoTime, ...]


def io_cases(rows: list[Row]) -> list[IoCase]:
    """The runs of applications among the rows, by their size, and by what else differs among them if that
    does not."""
    found = [(row, account) for row in rows if (account := io_account(row.records)) is not None]
    sizes = [size_words(account) for _, account in found]
    label = label_by([row for row, _ in found], SIZE)
    names = [
        ", ".join(filter(None, [size, label(row)])) if sizes.count(size) > 1 else size
        for size, (row, _) in zip(sizes, found, strict=True)
    ]
    return [
        IoCase(name, account, tuple(io_times(account, row.printed)))
        for name, (row, account) in zip(names, found, strict=True)
    ]


def io_times(account: IoAccount, printed: tuple[Printed, ...]) -> list[IoTime]:
    """This machine's first, then the others' as they were printed; none for a machine without any time."""
    medians = {
        name: estimate.median
        for name, operation in account.operations.items()
        if (estimate := operation.average(account.ranks)) is not None
    }
    found = [IoTime(HERE, medians), *(_printed(table) for table in printed if table.table == TABLE)]
    return [times for times in found if times.total_s > 0]


def _printed(table: Printed) -> IoTime:
    known = {name: table.number(name, "average_s") for name in OPERATIONS}
    return IoTime(table.machine, {name: value for name, value in known.items() if value is not None})


def judge_io_time(rows: list[Row], card: Mapping[str, Any]) -> Finding | None:
    """What takes most of the I/O time, and the shares of all machines; null without any run."""
    cases = [case for case in io_cases(rows) if case.times and case.times[0].machine == HERE]
    if not cases:
        return None
    return Finding(
        conditions=CONDITIONS,
        answers=tuple(_answer(case, name_case=len(cases) > 1) for case in cases),
        columns=("case", "machine", "operation"),
        numbers=tuple(number for case in cases for number in _numbers(case)),
    )


def _answer(case: IoCase, *, name_case: bool) -> Answer:
    here = case.times[0]
    subject = (*([case.name] if name_case else []), DOING.get(here.longest, here.longest))
    share = Ratio(here.share(here.longest), None, None, case.account.runs, "of the I/O time", "%")
    few = share.n < FEWEST_SAMPLES
    certainty, action = (Certainty.OPEN, "more-samples") if few else (Certainty.WITHIN, "")  # no interval
    return Answer("", subject, share, certainty, action, weight=WEIGHT, decides=False)


def _numbers(case: IoCase) -> Iterator[Number]:
    """What a rank spends on each machine in all calls, then in each, and what it computes."""
    for times in case.times:
        runs, remark = (case.account.runs, "") if times.machine == HERE else (1, "printed")
        yield Number((case.name, times.machine, "all"), single("io_time_s", "s", times.total_s, runs), remark)
        for name, spent in times.by_operation.items():
            if spent:
                share = Ratio(times.share(name), None, None, runs, unit="%")
                yield Number((case.name, times.machine, name), share, format_seconds(spent))
    computed = ((COMPUTING, case.account.compute_s), (UPDATES, case.account.cell_updates_per_s))
    for metric, found in computed:
        if found:
            quantity = Quantity(metric, found.median, found.low, found.high, found.count, find_modes(()))
            yield Number((case.name, HERE, metric.noun), quantity)


@figure("io-time", judge_io_time, "I/O time", "In which calls do ranks spend their I/O time?")
def io_time(rows: list[Row], card: Card) -> list[Panel]:
    """A bar a machine, divided into its operations; a panel a case."""
    cases = [case for case in io_cases(rows) if case.times]
    seen = {name for case in cases for one in case.times for name, value in one.by_operation.items() if value}
    drawn = [name for name in OPERATIONS if name in seen]  # one colour each, in all panels
    return [Panel(case.name, _spec(case.times, drawn)) for case in cases]


def _spec(times: Sequence[IoTime], drawn: Sequence[str]) -> Spec:
    machines = [f"{one.machine}, {format_seconds(one.total_s)}" for one in times]
    values = [
        _datum(one, machine, name)
        for one, machine in zip(times, machines, strict=True)
        for name in OPERATIONS
        if one.by_operation.get(name)
    ]
    encoding: dict[str, Any] = {
        "y": nominal("machine", sort=machines, title=None, axis={"labelLimit": 220}),
        "x": {
            "field": "share",
            "type": "quantitative",
            "stack": "zero",
            "title": "share of a rank's time in I/O calls",
            "scale": {"domain": [0, 1]},
            "axis": {"format": "~%", "tickCount": 5},
        },
        "color": nominal(
            "operation",
            scale={"domain": OPERATIONS, "range": "operation"},  # each has its colour in every report
            legend={"title": None, "symbolType": "square", "columns": 3, "values": drawn},
        ),
        "order": {"field": "at", "type": "quantitative"},
        "tooltip": [
            {"field": "machine", "title": "machine, all of it"},
            {"field": "operation"},
            {"field": "time", "title": "average a rank"},
            {"field": "part", "title": "share"},
        ],
    }
    bar = {"type": "bar", "opacity": 0.9}
    return panel_spec(ROW_HEIGHT * len(times), values, mark=bar, encoding=encoding)


def _datum(times: IoTime, machine: str, operation: str) -> dict[str, Any]:
    share = times.share(operation)
    return {
        "machine": machine,
        "operation": operation,
        "at": OPERATIONS.index(operation),
        "share": float(f"{share:.5g}"),
        "time": format_seconds(times.by_operation[operation]),
        "part": format_share(share),
    }
