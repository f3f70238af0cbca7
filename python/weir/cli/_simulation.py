"""Patterns on modelled machines: options that verbs share, and results for people and programs."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weir.cli import _completion as completion
from weir.handed.takes import Takes
from weir.units import count_words, format_bandwidth, format_bytes, format_seconds, format_share

if TYPE_CHECKING:
    from weir.simulate.model import Machine
    from weir.simulate.result import Phase, Simulation
    from weir.simulate.run import Simulated
    from weir.simulate.settings import Settings
    from weir.simulate.simulate import Asked, Simulate


class Method(StrEnum):
    """How collective accesses get into files."""

    AUTO = "auto"
    INDEPENDENT = "independent"
    TWO_PHASE = "two-phase"
    RANK0 = "rank0"


PatternOrApplication = Annotated[
    Path,
    typer.Argument(
        metavar="PATTERN",
        help='A pattern (JSON); on a machine also an application with its options: "flash-io --blocks 80", '
        'or MPI functions: "Bcast,Alltoall --bytes 8B,1MiB".',
    ),
    Takes(("pattern",), named=True),
]
MachineOption = Annotated[
    str,
    typer.Option(
        "--on",
        metavar="MACHINE",
        help="A model of a machine: a TOML file, or the name of one of Weir's own.",
        autocompletion=completion.machines,
    ),
]
RanksOption = Annotated[
    str | None,
    typer.Option(
        "--ranks",
        metavar="N,…",
        help="Ranks, if the pattern says how it scales; on a machine also several, as 1,4,16 or 1,2,…,64. "
        "Default: the pattern's.",
    ),
]
MethodOption = Annotated[
    Method,
    typer.Option(
        "--method",
        help="On a machine, how collective accesses get into files: as MPI-IO does (auto), each rank by "
        "itself, or by Weir's library (two-phase, rank0).",
    ),
]
AggregatorsOption = Annotated[
    int, typer.Option("--aggregators", min=0, help="Ranks that write for all; 0: as the method chooses.")
]
RanksPerNodeOption = Annotated[
    int, typer.Option("--ranks-per-node", min=0, help="0: as many as the machine has processors.")
]
StripesOption = Annotated[int, typer.Option("--stripes", min=0, help="Targets of a file; 0: the machine's.")]
StripeOption = Annotated[
    str, typer.Option("--stripe", metavar="SIZE", help="Stripe unit, as 1MiB. Default: the machine's.")
]
ReadGroupOption = Annotated[
    int, typer.Option("--read-group", min=1, help="Ranks of which one reads for all, on a machine.")
]
WriteGroupOption = Annotated[
    int, typer.Option("--write-group", min=1, help="Ranks of which one writes for all, on a machine.")
]


class Cache(StrEnum):
    """What becomes of the page cache before each read."""

    KEEP = "keep"
    DROP = "drop"


CacheOption = Annotated[
    Cache,
    typer.Option("--cache", help="keep: reads may come from a node's page cache; drop: drop it before."),
]


def settings_of(options: dict[str, Any]) -> Settings:
    """Those of these options, by the names of their parameters."""
    from weir.simulate.settings import Settings
    from weir.units import parse_bytes

    stripe = options.get("stripe") or ""
    names = ("aggregators", "ranks_per_node", "stripes", "read_group", "write_group")
    return Settings(
        method=str(options["method"]),
        stripe_bytes=parse_bytes(stripe) if stripe else 0,
        cache=str(options["cache"]),
        **{name: options[name] for name in names},
    )


@dataclass(frozen=True)
class Question:
    """What is to be simulated, checked."""

    machine: Machine
    asked: Asked
    name: str
    """The pattern's, for people."""
    ranks: list[int]
    simulate: Simulate


def question_of(pattern: Path, machine: str, ranks: str | None, settings: Settings) -> Question:
    """Raises WeirError for a machine that is not right, or has too few places."""
    from dataclasses import replace

    from weir.core.client import Core, find_core
    from weir.simulate.find import find_machine
    from weir.simulate.patterns import PatternSource
    from weir.simulate.simulate import Asked, check_aggregators, check_ranks, parse_ranks, simulator

    found = find_machine(machine)
    core = Core(find_core())
    source = PatternSource(str(pattern), core)
    counts = parse_ranks(ranks) if ranks else [source.ranks]
    asked = Asked(str(pattern), counts[0], settings)
    for count in counts:
        check_ranks(found, replace(asked, ranks=count))
    check_aggregators(replace(asked, ranks=counts[-1]))
    return Question(found, asked, source.name, counts, simulator(core))


def plan_data(question: Question, **more: Any) -> dict[str, Any]:
    """For `--dry-run --json`: what would be simulated."""
    return {
        "dry_run": True,
        "machine": question.machine.name,
        "pattern": question.name,
        "settings": question.asked.settings.given,
        "ranks": question.ranks,
        **more,
    }


def write_simulated(found: Simulated, out: Path | None, what: str) -> Path:
    """The run directory, written."""
    from weir.simulate.run import write_run
    from weir.store.run_directory import new_run

    place = out or new_run(f"{what}-{found.machine.name}", datetime.datetime.now())
    return write_run(place, found, sys.argv).path


def caveat_lines(found: Simulated) -> list[str]:
    """What makes its numbers worth less."""
    from weir.answers.tables import CAVEATS
    from weir.simulate.model import assumed_storage

    said = [f"! {CAVEATS['assumed-storage']}"] if assumed_storage(found.machine) else []
    most = max(one.found for variant in found.variants for one in variant.results)
    if most >= MUCH:
        said.append(f"! {format_share(most)} of the bytes read were in the nodes' memory; --cache drop: none")
    return said


MUCH = 0.5
"""Of the bytes read, the share in memory above which that is said."""
HEADINGS = (">ranks", ">time", ">written", ">read", "busiest", ">its share")


def result_cells(one: Simulation) -> list[str]:
    """A row below these headings."""
    busiest = one.busiest
    return [
        f"{one.ranks:,}",
        format_seconds(one.time_s),
        _rate(one.written),
        _rate(one.read),
        one.bottleneck or "none",
        busiest.share_words if busiest else "",
    ]


def _rate(found: float | None) -> str:
    return "" if found is None else format_bandwidth(found)


def verdict_line(found: Simulated) -> str:
    """ "flash-io simulated on IBM SP at Argonne, 64 ranks: bottleneck targets, busy 93 % of the time"."""
    last = found.variants[0].results[-1]
    return f"{place_words(found)}: {limit_words(last)}"


def place_words(found: Simulated) -> str:
    """What was simulated where, on the most ranks."""
    ranks = count_words(found.variants[0].results[-1].ranks, "rank")
    return f"{found.pattern} simulated on {found.machine.file.title}, {ranks}"


def limit_words(one: Simulation) -> str:
    """The bottleneck, if any."""
    busiest = one.busiest
    if busiest is None:
        return "no bottleneck"
    how_long = f"{busiest.share_words} of the time" if busiest.share <= 1 else "all the time, and after"
    words = f"{busiest.name}, busy {how_long}"
    return f"bottleneck {words}" if busiest.limits else f"no bottleneck, the busiest are {words}"


OPERATIONS = ("phase", ">time", "operation", ">count", ">bytes", ">mean", ">longest", ">all ranks")
RESOURCES = ("resource", ">of them", ">busiest one", ">share of the time", ">mean share")


def operation_rows(one: Simulation) -> Iterator[list[str]]:
    """Of each phase its time, and its operations below it."""
    for phase in one.phases:
        yield [phase.name, format_seconds(phase.time_s), "", "", format_bytes(_moved(phase)), "", "", ""]
        for op in phase.operations:
            mean = format_seconds(op.total_s / op.count) if op.count else ""
            times = [mean, format_seconds(op.longest_s), format_seconds(op.total_s)]
            yield ["", "", op.op, f"{op.count:,}", format_bytes(op.bytes) if op.bytes else "", *times]


def _moved(phase: Phase) -> int:
    return phase.bytes_written + phase.bytes_read


def resource_rows(one: Simulation) -> Iterator[list[str]]:
    """The busiest first."""
    for found in sorted(one.resources, key=lambda resource: -resource.share):
        mean = found.share * found.busy_s / found.count / found.busiest_s if found.busiest_s else 0.0
        times = [format_seconds(found.busiest_s), found.share_words, format_share(min(1.0, mean))]
        yield [found.name, f"{found.count:,}", *times]


def result_data(one: Simulation) -> dict[str, Any]:
    """For `--json`."""
    import msgspec

    sums = {"time_s": one.time_s, "written_bytes_per_s": one.written, "read_bytes_per_s": one.read}
    found: dict[str, Any] = msgspec.to_builtins(one)
    return {**found, **sums, "bottleneck_share": one.busiest.share if one.busiest else None}


def simulated_data(found: Simulated, run: Path, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What every verb says of simulations."""
    from weir.simulate.model import assumed_storage

    return {
        "simulated": True,
        "storage_assumed": assumed_storage(found.machine),
        "machine": found.machine.name,
        "pattern": found.pattern,
        "settings": found.settings.given,
        "run": str(run),
        "results": rows,
    }
