"""`weir fit`: a machine's values, fitted to numbers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weir.cli import _completion as completion
from weir.cli._interrupted import nothing_kept
from weir.cli._options import JsonOption, writes
from weir.cli._streams import check_output_file, output_file, print_json, print_lines, print_table
from weir.errors import ExitCode, WeirError
from weir.handed.takes import Takes
from weir.units import count_words, format_share, signed_percent

if TYPE_CHECKING:
    from weir.simulate.fit import Fit, Fitted
    from weir.simulate.schema import Path as Key

ModelArgument = Annotated[
    Path,
    typer.Argument(
        metavar="MODEL",
        help="A model of a machine: a TOML file, or the name of one of Weir's own.",
        autocompletion=completion.machines,
    ),
    Takes(("machine",), named=True),
]
DataArgument = Annotated[
    Path | None,
    typer.Argument(
        metavar="DATA",
        help="A CSV file with the columns pattern, ranks, quantity, value; also use (fit or check), method, "
        "stripes and the like.",
    ),
    Takes(("numbers", "table")),
]
FreeOption = Annotated[
    str,
    typer.Option(
        "--free",
        metavar="KEY,…",
        help="Keys to fit, whole or their ends, each as KEY or KEY=LOW..HIGH. Default: the model's low and "
        "high, else a tenth and ten times its value.",
    ),
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out", "-o", metavar="FILE", help="The fitted model, as TOML; a file of that name is replaced."
    ),
]
EvaluationsOption = Annotated[
    int,
    typer.Option(
        "--evaluations",
        min=10,
        max=1_000_000,
        help="Machines tried at most; a quarter for each number left out.",
    ),
]
NEAR = 0.01
"""An error below it is none that more evaluations are needed for."""


@writes
def command(
    model: ModelArgument,
    data: DataArgument = None,
    free: FreeOption = "",
    out: OutOption = None,
    evaluations: EvaluationsOption = 150,
    json: JsonOption = False,
) -> ExitCode:
    """Fit keys of a machine to numbers that are known of it, and say how far it is off.

    A quantity is time, written, read or moved (bandwidths), total, mean or longest of operations (as
    total.open+create), of all phases or of one (as checkpoint/written). Numbers whose use is check are only
    held against the model. Left out: each number against a model that was fitted to all the others.

    Exit codes: 0 fitted; 2 wrong use; 5 no value in the ranges gives the numbers, or no key changes one.
    """
    import os

    from weir.core.client import Core, find_core
    from weir.simulate.data import read_data
    from weir.simulate.find import find_machine
    from weir.simulate.fit import Fitting, check_distinct, parse_free
    from weir.simulate.patterns import PatternSource
    from weir.simulate.simulate import simulator

    if data is None:
        raise WeirError(
            "no numbers are named", "", "name a CSV file, as in: weir fit MODEL data.csv --free KEY"
        )
    machine, core = find_machine(str(model)), Core(find_core())
    keys = [parse_free(word, machine) for word in free.split(",") if word.strip()]
    if not keys:
        raise WeirError(
            "nothing says which keys are to be fitted", "", "write for example --free targets.write"
        )
    check_distinct(keys)
    numbers = read_data(data, lambda word: PatternSource(word, core).is_application)
    threads = max(1, len(os.sched_getaffinity(0)))

    def tell(words: str) -> None:
        print(f"weir: {words}", file=sys.stderr)

    if out:
        check_output_file(out)
    with nothing_kept():
        found = Fitting(machine, keys, numbers, simulator(core), evaluations, threads, tell).fit()
    if json:
        print_json(_data(found, out))
    else:
        _show(found)
    if out:
        _write(found, out)
        if not json:
            print_lines([f"Written: {out}"])
    return ExitCode.FINE if found.reaches else ExitCode.INCONCLUSIVE


def _write(found: Fit, out: Path) -> None:
    from weir.simulate.write import legal_name, machine_text

    with output_file(out) as file:
        file.write(machine_text(found.machine, legal_name(out.stem), fitted=True).encode())


def _show(found: Fit) -> None:
    from weir.simulate.data import labels

    names = labels([one.datum for one in found.rows])
    rows = [[name, *_cells(one)] for name, one in zip(names, found.rows, strict=True)]
    print_table(("~number", "use", ">given", ">simulated", ">error", ">left out"), rows)
    print_table(("key", ">before", ">fitted", ">with each number left out", ""), list(_key_rows(found)))
    print_lines([*_summaries(found), *_remarks(found)])


def _key_rows(found: Fit) -> Iterator[list[str]]:
    """Of each key what it was and is, and how far that rests on single numbers."""
    from weir.simulate.schema import KEYS

    for free in found.free:
        spell = KEYS[free.path].kind.spell
        before, after = (one.values.get(free.path) for one in (found.before, found.machine))
        was = "" if before is None else spell(before)
        if free in found.idle:
            yield [free.name, was, "not fitted", "", "changes none of the numbers"]
        else:
            ends = [spell(_short(free.path, end)) for end in found.spread.get(free.path, ())]
            at_end = "end of its range" if found.is_at_end(free) else ""
            yield [free.name, was, spell(after or 0), " … ".join(ends), at_end]


def _remarks(found: Fit) -> Iterator[str]:
    """What keeps a person from trusting the values."""
    from weir.simulate.data import FIT

    free = len(found.free) - len(found.idle)
    numbers = len(found.errors(FIT))
    if not found.reaches:
        yield "no value in the range reaches these numbers: look at what else the model has, or free that"
    elif not found.settled and max(found.errors(FIT)) > NEAR:
        yield (
            f"the search ended after {count_words(found.evaluations, 'machine')}, before it came to rest: "
            f"try --evaluations {2 * found.evaluations}"
        )
    else:
        yield f"tried: {count_words(found.evaluations, 'machine')}"
    if found.is_open:
        few = f"{count_words(numbers, 'number')} cannot tell {count_words(free, 'key')} apart"
        yield f"warning: {few}: other values would do as well; free fewer, or give more numbers"


def _short(path: Key, value: float) -> float | int:
    from weir.simulate.round import rounded
    from weir.simulate.schema import KEYS

    short = rounded(path, value)
    return round(short) if KEYS[path].kind.suffix in ("", "_bytes") else short


def _cells(one: Fitted) -> list[str]:
    spell = one.datum.quantity.kind.spell
    unseen = "" if one.unseen_error is None else _percent(one.unseen_error)
    values = [spell(one.datum.value), spell(float(f"{one.simulated:.4g}"))]
    return [one.datum.use, *values, _percent(one.error), unseen]


def _percent(share: float) -> str:
    return signed_percent(share, 1)


def _summaries(found: Fit) -> Iterator[str]:
    """Of each kind of error that there is, the median and the worst."""
    from weir.simulate.data import CHECK, FIT
    from weir.simulate.fit import LEFT_OUT, summary

    for kind, words in ((FIT, "fitted"), (LEFT_OUT, "each left out"), (CHECK, "only checked")):
        if errors := found.errors(kind):
            middle, worst = summary(errors)
            ends = f"error {format_share(middle)} in the median, {format_share(worst)} at worst"
            yield f"{words}: {ends}, of {count_words(len(errors), 'number')}"
    yield "error: simulated over given, minus 1"


def _data(found: Fit, out: Path | None) -> dict[str, Any]:
    from weir.simulate.data import CHECK, FIT
    from weir.simulate.fit import LEFT_OUT, summary
    from weir.simulate.schema import KEYS

    errors = {kind: found.errors(kind) for kind in (FIT, LEFT_OUT, CHECK)}
    return {
        "machine": found.before.name,
        "written": str(out) if out else None,
        "evaluations": found.evaluations,
        "came_to_rest": found.settled,
        "reaches_the_numbers": found.reaches,
        "fitted": [
            {
                "key": free.name,
                "unit": KEYS[free.path].kind.suffix.lstrip("_") or None,
                "before": found.before.values.get(free.path),
                "value": found.machine.values.get(free.path),
                "changes_numbers": free not in found.idle,
                "at_end_of_range": free not in found.idle and found.is_at_end(free),
                "left_out_low": found.spread.get(free.path, (None, None))[0],
                "left_out_high": found.spread.get(free.path, (None, None))[1],
            }
            for free in found.free
        ],
        "numbers": [
            {
                "place": one.datum.place,
                "pattern": one.datum.asked.pattern,
                "ranks": one.datum.asked.ranks,
                "settings": one.datum.asked.settings.given,
                "quantity": one.datum.quantity.words,
                "use": one.datum.use,
                "value": one.datum.value,
                "simulated": one.simulated,
                "error": one.error,
                "left_out_error": one.unseen_error,
            }
            for one in found.rows
        ],
        "errors": {
            kind.replace(" ", "_"): dict(zip(("median", "worst"), summary(some), strict=True))
            if some
            else None
            for kind, some in errors.items()
        },
    }
