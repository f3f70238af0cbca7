"""`weir fit`: a machine's values, fitted to numbers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weir.cli import _completion as completion
from weir.cli._options import JsonOption, writes
from weir.cli._streams import print_json, print_lines, print_table
from weir.errors import WeirError
from weir.handed.takes import Takes
from weir.units import count_words, format_share

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
    Path | None, typer.Option("--out", "-o", metavar="FILE", help="The fitted model, as TOML.")
]
EvaluationsOption = Annotated[
    int,
    typer.Option("--evaluations", min=10, help="Machines tried at most; a quarter for each number left out."),
]


@writes
def command(
    model: ModelArgument,
    data: DataArgument = None,
    free: FreeOption = "",
    out: OutOption = None,
    evaluations: EvaluationsOption = 150,
    json: JsonOption = False,
) -> None:
    """Fit keys of a machine to numbers that are known of it, and say how far it is off.

    A quantity is time, written, read or moved (bandwidths), total, mean or longest of operations (as
    total.open+create), of all phases or of one (as checkpoint/written). Numbers whose use is check are only
    held against the model. Left out: each number against a model that was fitted to all the others.
    """
    import os

    from weir.core.client import Core, find_core
    from weir.simulate.data import read_data
    from weir.simulate.find import find_machine
    from weir.simulate.fit import Fitting, parse_free
    from weir.simulate.patterns import PatternSource
    from weir.simulate.simulate import simulator

    if data is None:
        raise WeirError(
            "no numbers are named", "", "name a CSV file, as in: weir fit MODEL data.csv --free KEY"
        )
    machine, core = find_machine(str(model)), Core(find_core())
    keys = [parse_free(word, machine) for word in free.split(",") if word.strip()]
    if not keys or len({key.path for key in keys}) < len(keys):
        why = "--free names none, or one twice"
        raise WeirError(
            "nothing says which keys are to be fitted", why, "write for example --free targets.write"
        )
    numbers = read_data(data, lambda word: PatternSource(word, core).is_application)
    threads = max(1, len(os.sched_getaffinity(0)))

    def tell(words: str) -> None:
        print(f"weir: {words}", file=sys.stderr)

    found = Fitting(machine, keys, numbers, simulator(core), evaluations, threads, tell).fit()
    if out:
        _write(found, out)
    if json:
        print_json(_data(found, out))
    else:
        _show(found, out)


def _write(found: Fit, out: Path) -> None:
    from weir.files.write import write
    from weir.simulate.write import machine_text

    write(out, machine_text(found.machine, out.stem, fitted=True).encode())


def _show(found: Fit, out: Path | None) -> None:
    from weir.simulate.data import labels
    from weir.simulate.schema import KEYS

    names = labels([one.datum for one in found.rows])
    rows = [[name, *_cells(one)] for name, one in zip(names, found.rows, strict=True)]
    print_table(("~number", "use", ">given", ">simulated", ">error", ">left out"), rows)
    keys = []
    for free in found.free:
        spell = KEYS[free.path].kind.spell
        before, after = (one.values.get(free.path) for one in (found.before, found.machine))
        low, high = (spell(_whole(free.path, end)) for end in found.spread[free.path])
        fitted = [spell(after or 0), f"{low} … {high}", "end of its range" if found.is_at_end(free) else ""]
        keys.append([free.name, "" if before is None else spell(before), *fitted])
    print_table(("key", ">before", ">fitted", ">with each number left out", ""), keys)
    print_lines([*_summaries(found), f"tried: {count_words(found.evaluations, 'machine')}"])
    if out:
        print_lines([f"Written: {out}"])


def _whole(path: Key, value: float) -> float | int:
    from weir.simulate.schema import KEYS

    return round(value) if KEYS[path].kind.suffix in ("", "_bytes") else value


def _cells(one: Fitted) -> list[str]:
    spell = one.datum.quantity.kind.spell
    unseen = "" if one.unseen_error is None else _percent(one.unseen_error)
    values = [spell(one.datum.value), spell(float(f"{one.simulated:.4g}"))]
    return [one.datum.use, *values, _percent(one.error), unseen]


def _percent(share: float) -> str:
    return f"{100 * share:+.1f} %"


def _summaries(found: Fit) -> Iterator[str]:
    """Of each kind of error that there is, the median and the worst."""
    from weir.simulate.data import CHECK, FIT
    from weir.simulate.fit import LEFT_OUT, summary

    for kind, words in ((FIT, "fitted"), (LEFT_OUT, "each left out"), (CHECK, "only checked")):
        if errors := found.errors(kind):
            middle, worst = summary(errors)
            ends = f"error {format_share(middle)} in the median, {format_share(worst)} at worst"
            yield f"{words}: {ends}, of {count_words(len(errors), 'number')}"


def _data(found: Fit, out: Path | None) -> dict[str, Any]:
    from weir.simulate.data import CHECK, FIT
    from weir.simulate.fit import LEFT_OUT, summary
    from weir.simulate.schema import KEYS

    errors = {kind: found.errors(kind) for kind in (FIT, LEFT_OUT, CHECK)}
    return {
        "machine": found.before.name,
        "written": str(out) if out else None,
        "evaluations": found.evaluations,
        "fitted": [
            {
                "key": free.name,
                "unit": KEYS[free.path].kind.suffix.lstrip("_") or None,
                "before": found.before.values.get(free.path),
                "value": found.machine.values.get(free.path),
                "at_end_of_range": found.is_at_end(free),
                "left_out_low": found.spread[free.path][0],
                "left_out_high": found.spread[free.path][1],
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
