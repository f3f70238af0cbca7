"""`weir whatif`: what a change of a machine buys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weir.cli._interrupted import nothing_kept
from weir.cli._options import DryRunOption, EverythingOption, JsonOption, NewRunOption, writes
from weir.cli._simulation import (
    HEADINGS,
    RESOURCES,
    AggregatorsOption,
    Cache,
    CacheOption,
    MachineOption,
    Method,
    MethodOption,
    PatternOrApplication,
    Question,
    RanksOption,
    RanksPerNodeOption,
    ReadGroupOption,
    StripeOption,
    StripesOption,
    WriteGroupOption,
    caveat_lines,
    limit_words,
    place_words,
    plan_data,
    question_of,
    resource_rows,
    result_cells,
    result_data,
    settings_of,
    simulated_data,
    write_simulated,
)
from weir.cli._streams import print_json, print_lines, print_table, results_told
from weir.errors import ExitCode, WeirError
from weir.units import count_words, significant

if TYPE_CHECKING:
    from weir.simulate.model import Machine
    from weir.simulate.run import Simulated, Variant
    from weir.simulate.whatif import Tried

ChangesArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="NAME=VALUE...",
        help="Another value of a key of the machine, as targets.count=96 or stripes=x2.",
    ),
]
AS_IT_IS = "as it is"
TARGETS, STRIPES = ("storage", "targets", "count"), ("storage", "stripes")
SURE = 0.06
"""A difference in time below it may come of the order of requests."""


@writes
def command(
    ctx: typer.Context,
    pattern: PatternOrApplication,
    changes: ChangesArgument = None,
    on: MachineOption = "",
    ranks: RanksOption = None,
    method: MethodOption = Method.AUTO,
    aggregators: AggregatorsOption = 0,
    ranks_per_node: RanksPerNodeOption = 0,
    stripes: StripesOption = 0,
    stripe: StripeOption = "",
    read_group: ReadGroupOption = 1,
    write_group: WriteGroupOption = 1,
    cache: CacheOption = Cache.KEEP,
    out: NewRunOption = None,
    dry_run: DryRunOption = False,
    everything: EverythingOption = False,
    json: JsonOption = False,
) -> ExitCode:
    """Simulate PATTERN on a machine as it is and with changes, each alone and all together: what each buys,
    and whether something is a bottleneck then.

    Exit codes: 0 fine; 2 nothing was simulated.
    """
    from weir.simulate.run import Simulated
    from weir.simulate.whatif import machines_of, parse_change, variants

    if not changes or not on:
        what = "no change is named" if on else "no machine is named"
        example = "write for example: weir whatif PATTERN targets.count=96 --on MACHINE"
        raise WeirError(what, "", example)
    question = question_of(pattern, on, ranks, settings_of(ctx.params))
    tried = machines_of(question.machine, [parse_change(word, question.machine) for word in changes])
    if dry_run:
        _show_plan(question, tried, as_json=json)
        return ExitCode.FINE
    with nothing_kept():
        parts = list(variants(question.simulate, question.machine, tried, question.asked, question.ranks))
    found = Simulated(question.name, question.asked.settings, parts)
    run = write_simulated(found, out, "whatif")
    with results_told(run):
        if json:
            print_json(simulated_data(found, run, [row for one in parts for row in _data(one, parts[0])]))
        else:
            _show(found, tried, run, everything=everything)
    return ExitCode.FINE


def _show_plan(question: Question, tried: list[Tried], *, as_json: bool) -> None:
    if as_json:
        print_json(plan_data(question, changes=[one.words for one in tried if one.machine]))
        return
    would = [f"{one.words}: {one.why or 'would be simulated'}" for one in tried]
    print_lines([f"{question.name} on {question.machine.file.title}", *would])


def _data(variant: Variant, before: Variant) -> list[dict[str, object]]:
    from weir.simulate.whatif import times_as_fast

    pairs = zip(before.results, variant.results, strict=True)
    return [
        {"change": variant.change or None, "times_as_fast": times_as_fast(was, now), **result_data(now)}
        for was, now in pairs
    ]


def _show(found: Simulated, tried: list[Tried], run: Path, *, everything: bool) -> None:
    from weir.simulate.whatif import times_as_fast

    before = found.variants[0]
    print_lines([_verdict(found), ""])
    rows = [
        [
            one.change or AS_IT_IS,
            *result_cells(now),
            significant(times_as_fast(was, now)) if one.change else "",
        ]
        for one in found.variants
        for was, now in zip(before.results, one.results, strict=True)
    ]
    print_table(("change", *HEADINGS, ">times as fast"), rows)
    for one in found.variants if everything else []:
        print_table(RESOURCES, list(resource_rows(one.results[-1])), title=one.change or AS_IT_IS)
    print_lines([f"left out: {one.words}, alone: {one.why}" for one in tried if one.why])
    print_lines([*_remarks(found), *caveat_lines(found), f"run: {run}"])


def _remarks(found: Simulated) -> Iterator[str]:
    """What keeps a person from misreading the rows."""
    from weir.simulate.whatif import times_as_fast

    before, *after = found.variants
    gains = [
        times_as_fast(was, now) for one in after for was, now in zip(before.results, one.results, strict=True)
    ]
    if any(gain != 1 and not _is_sure(gain) for gain in gains):
        yield f"differences below {100 * SURE:.0f} % may be the order of requests"
    if any(_has_more_targets(before.machine, one.machine) for one in after) and not found.settings.stripes:
        stripes = int(before.machine.number(*STRIPES))
        yield f"a file has {count_words(stripes, 'target')} still: change stripes too for more"


def _has_more_targets(before: Machine, after: Machine) -> bool:
    """And files none of them."""
    less, more = (one.number(*TARGETS) for one in (before, after))
    return more > less and after.number(*STRIPES) == before.number(*STRIPES)


def _is_sure(gain: float) -> bool:
    return abs(gain - 1) >= SURE


def _verdict(found: Simulated) -> str:
    """What the best change buys on the most ranks, else what the worst one costs; and what limits the machine
    as it is."""
    from weir.simulate.whatif import times_as_fast

    before, *after = found.variants
    was = before.results[-1]
    gains = {one.change: times_as_fast(was, one.results[-1]) for one in after}
    best, worst = max(gains, key=lambda change: gains[change]), min(gains, key=lambda change: gains[change])
    told = "nothing is gained"
    if gains[best] > 1 and _is_sure(gains[best]):
        told = f"{best}: {significant(gains[best])} times as fast"
    elif _is_sure(gains[worst]):
        told = f"nothing is gained, and {worst} is {significant(gains[worst])} times as fast"
    return f"{place_words(found)}: {told}; as it is: {limit_words(was)}"
