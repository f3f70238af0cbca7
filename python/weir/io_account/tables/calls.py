"""How often each call of I/O was made, and the time in it.

Tables 1, 3, 5 and 7 of Thakur, Gropp and Lusk (1996); the average is the time of all ranks by their number.
"""

from typing import Any

from weir.io_account.account import IoAccount, Operation, io_account
from weir.io_account.words import here_words, run_words, source_words
from weir.results.printed import Printed, estimate_data, median_words
from weir.results.row import Row
from weir.results.words import join_words
from weir.tables.table import MARK, Column, Table, printed_cell, printed_notes, table
from weir.units import shown_in

TIME = shown_in("s")
COLUMNS = ("operation", "count", "total_s", "average_s")
NO_SEEK = (
    "seek: counted where the paper's routine would make one; here each request carries its offset, and no "
    "call is made."
)
WAITING = (
    "communication: packing, sending and receiving, and waiting: for messages on their way and for other "
    "ranks, among them those that write."
)
SYNCS = "sync: of the restart file, with its rename; the published tables have none."


@table("calls", COLUMNS)
def calls(row: Row) -> Table | None:
    """The calls of one case compared with published ones; null for what is no run of an application."""
    account = io_account(row.records)
    if account is None:
        return None
    published = [printed for printed in row.printed if printed.table == "calls"]
    machines = [printed.machine for printed in published]
    total, average = "total of all ranks (s)", "average a rank (s)"
    return Table(
        name="calls",
        title=f"Calls of I/O: {run_words(account)}",
        caption=source_words(account, published),
        columns=(
            Column("operation"),
            Column("count"),
            Column(here_words(account), total),
            *(Column(machine, total) for machine in machines),
            Column("here", average),
            *(Column(machine, average) for machine in machines),
        ),
        rows=tuple(_cells(name, account, published) for name in account.operations),
        notes=tuple(_notes(account, published)),
        data=_data(account, published),
    )


def _cells(name: str, account: IoAccount, published: list[Printed]) -> tuple[str, ...]:
    operation = account.operations[name]
    total, average = operation.total, operation.average(account.ranks)
    return (
        name,
        _count(operation) + (MARK if _differing(name, operation, published) else ""),
        median_words(total, TIME) if total else "no call",
        *(printed_cell(printed.number(name, "total_s")) for printed in published),
        TIME.show(average.median) if average else "no call",
        *(printed_cell(printed.number(name, "average_s")) for printed in published),
    )


def _count(operation: Operation) -> str:
    return "varies" if operation.count is None else f"{operation.count:,}"


def _differing(name: str, operation: Operation, published: list[Printed]) -> list[tuple[int, str]]:
    """Printed counts that are not this one, each with its machine."""
    counts = [(printed.number(name, "count"), printed.machine) for printed in published]
    return [
        (int(count), machine) for count, machine in counts if count is not None and count != operation.count
    ]


def _notes(account: IoAccount, published: list[Printed]) -> list[str]:
    notes = []
    for name, operation in account.operations.items():
        differing = _differing(name, operation, published)
        if differing:
            notes.append(f"{MARK} {name}: {_count(operation)} here; {_printed_counts(differing)}.")
            if name == "communication":
                notes[-1] += _accounting(account, differing)
    seeks = account.operations.get("seek")
    if seeks and seeks.total is None:
        notes.append(NO_SEEK)
    communication = account.operations.get("communication")
    if communication and communication.total:
        notes.append(WAITING + _waiting(communication))
    if published and "sync" in account.operations:
        notes.append(SYNCS)
    return notes + printed_notes(published)


def _waiting(communication: Operation) -> str:
    waiting = communication.waiting
    return f" The waiting is {median_words(waiting, TIME)} s of its total." if waiting else ""


def _printed_counts(differing: list[tuple[int, str]]) -> str:
    by_count: dict[int, list[str]] = {}
    for count, machine in differing:
        by_count.setdefault(count, []).append(machine)
    parts = [f"{count:,} printed for the {join_words(machines)}" for count, machines in by_count.items()]
    return join_words(parts)


def _accounting(account: IoAccount, differing: list[tuple[int, str]]) -> str:
    """What makes the counts of communication differ, where it is known."""
    theirs = account.communication_of_the_paper
    words = " Counted here are MPI messages sent, those received, and broadcasts on each rank."
    if theirs is None:
        return words
    agrees = all(count == theirs for count, _ in differing)
    return (
        f"{words} Counted as in the paper, these are {theirs:,}{', as printed' if agrees else ''}: "
        "with a call also for each rank that a rank exchanges nothing with."
    )


def _data(account: IoAccount, published: list[Printed]) -> dict[str, Any]:
    return {
        "runs": account.runs,
        "ranks": account.ranks,
        **account.shape,
        "communication_of_the_paper": account.communication_of_the_paper,
        "operations": [
            {
                "operation": name,
                "count": operation.count,
                **estimate_data("total_s", operation.total),
                **estimate_data("average_s", operation.average(account.ranks)),
                **estimate_data("waiting_s", operation.waiting),
                "printed": {
                    printed.machine: {key: printed.number(name, key) for key in COLUMNS[1:]}
                    for printed in published
                },
            }
            for name, operation in account.operations.items()
        ],
    }
