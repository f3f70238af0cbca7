"""`weir mimic`: the storage benchmark's parameters that imitate a pattern."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weir.cli._options import JsonOption, PatternArgument, PatternRanksOption, PresetOption, writes
from weir.cli._streams import print_json, print_lines, print_table

if TYPE_CHECKING:
    from weir.mimic.imitation import Imitation

BackendOption = Annotated[
    str,
    typer.Option("--backend", help="The interface to imitate it through, which a pattern does not name."),
]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="FILE", help="Write the imitation as a pattern, for `weir replay`."),
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

    Fidelity is a number from 0 to 1, by bytes: the product of those of request size, order, sharing, sync
    and concurrency.
    """
    from weir.core.client import Core, find_core
    from weir.mimic.carrier import carrier
    from weir.mimic.derive import derive
    from weir.mimic.load import load
    from weir.mimic.presets import presets
    from weir.mimic.words import as_data
    from weir.replay.prepare import ReplayRequest, write_pattern

    change = presets.find(preset) if preset else None
    prepared, loaded = load(ReplayRequest(pattern, backend=backend, ranks=ranks), Core(find_core()))
    imitation = derive(loaded, change)
    if out is not None:
        write_pattern(carrier(imitation), out)
    if json:
        where = {"pattern": str(pattern), "backend": backend, "preset": preset}
        print_json({**where, **as_data(imitation), "written": str(out) if out else None})
        return
    _show(imitation, backend, prepared.made_independent)
    if out is not None:
        print_lines([f"Written: {out}"])


def _show(imitation: Imitation, backend: str, made_independent: tuple[str, ...]) -> None:
    from weir.mimic.words import HEADINGS, headline, loss_lines, rows

    print_lines([f"{imitation.pattern.name} through {backend}, {headline(imitation)}"])
    table = [row for phase in imitation.phases for row in rows(phase, imitation)]
    print_table(HEADINGS, table)
    lines = list(loss_lines(imitation))
    if made_independent:
        lines.append(
            f"{backend} has no collective calls: each rank for itself in {', '.join(made_independent)}"
        )
    print_lines(["What the parameters cannot express:" if lines else "Nothing is lost.", *lines])
