"""`weir mimic`: the storage benchmark's parameters that imitate a pattern."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weir.cli._options import JsonOption, PatternArgument, PatternRanksOption, PresetOption, writes
from weir.cli._streams import print_json, print_lines, print_table
from weir.errors import WeirError

if TYPE_CHECKING:
    from weir.core.client import Core

BackendOption = Annotated[
    str,
    typer.Option("--backend", help="The interface to imitate it through, which a pattern does not name."),
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FILE",
        help="Write the imitation as a pattern, for `weir replay`, in place of one that is there.",
    ),
]


@writes
def command(
    pattern: PatternArgument,
    out: OutOption = None,
    backend: BackendOption = "mpiio",
    ranks: PatternRanksOption = None,
    preset: PresetOption = None,
    json: JsonOption = False,
) -> None:
    """Derive the storage benchmark's parameters that imitate PATTERN, phase by phase, and name what they
    cannot express.

    The expected error is of the time in I/O calls that `weir predict` forecasts: forecast over the program's
    time, minus 1, by what is known of other programs. `alike` says how much of a set's requests its
    parameters say, from 0 to 1: the product of what is left of request size, order, sharing, sync and
    concurrency.
    """
    from weir.cli._expected_error import error_data, error_words, expected_of
    from weir.cli._inexact import inexact_lines
    from weir.core.client import Core, find_core
    from weir.mimic.carrier import carrier
    from weir.mimic.derive import derive
    from weir.mimic.load import imitate
    from weir.mimic.presets import presets
    from weir.mimic.words import HEADINGS, as_data, difference, headline, loss_lines, rows, without_cost
    from weir.replay.prepare import ReplayRequest, write_pattern

    change = presets.find(preset) if preset else None
    core = Core(find_core())
    _check_backend(backend, core)
    request = ReplayRequest(pattern, backend=backend, ranks=ranks)
    prepared, imitation = imitate(request, core, change)
    if out is not None:
        write_pattern(carrier(imitation), out)
    error = expected_of(imitation, preset)
    if json:
        where = {"pattern": str(pattern), "backend": backend, "preset": preset}
        inexact = list(imitation.pattern.inexact)
        print_json(
            {
                **where,
                "inexact": inexact,
                "expected_error": error_data(error),
                **as_data(imitation),
                "written": str(out) if out else None,
            }
        )
        return
    print_lines([f"{imitation.pattern.name} through {backend}: {headline(imitation)}"])
    print_lines([f"time in I/O calls by `weir predict`: {error_words(error)}"])
    print_lines(inexact_lines(imitation.pattern))
    print_table(HEADINGS, [row for phase in imitation.phases for row in rows(phase, imitation)])
    print_lines(difference(imitation))
    beside = list(without_cost(imitation))
    if prepared.made_independent:
        phases = ", ".join(prepared.made_independent)
        beside.append(
            f"{backend} has no collective calls, neither for the pattern: independent ones in {phases}"
        )
    unchanged = derive(imitation.pattern) if change else imitation
    _show_losses(list(loss_lines(imitation)), set(loss_lines(unchanged)), beside, preset)
    if out is not None:
        print_lines([f"Written: {out}"])


def _check_backend(backend: str, core: Core) -> None:
    """One that this build lacks is none to run it, but may be imitated through."""
    schema = core.schema()
    known = [one.name for one in schema.backends] + [one.name for one in schema.backends_left_out]
    if backend not in known:
        raise WeirError(
            f"there is no back-end '{backend}'", "no build of Weir has it", f"choose {', '.join(known)}"
        )


def _show_losses(lines: list[str], without_preset: set[str], beside: list[str], preset: str | None) -> None:
    """`without_preset`: those that there are in any case. `beside`: what costs nothing."""
    titled = [
        ("What the parameters cannot express:", [line for line in lines if line in without_preset]),
        (f"What the preset {preset} says otherwise:", [line for line in lines if line not in without_preset]),
        ("At no cost:", beside),
    ]
    if not lines:
        print_lines(["Nothing is lost."])
    for title, some in titled:
        if some:
            print_lines([title, *some])
