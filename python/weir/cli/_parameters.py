"""What `weir predict --parameters` prints: the storage benchmark's parameters that imitate a pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from weir.cli._streams import print_json, print_lines, print_table
from weir.errors import WeirError

if TYPE_CHECKING:
    from pathlib import Path

    from weir.core.client import Core
    from weir.mimic.imitation import Imitation
    from weir.replay.prepare import Prepared, ReplayRequest


def show_parameters(request: ReplayRequest, preset: str | None, out: Path | None, *, as_json: bool) -> None:
    """Derives the parameters, phase by phase, and prints them with what they cannot express. Nothing is
    measured. `out`: where to write the imitation, as a pattern."""
    from weir.cli._expected_error import error_data, expected_of
    from weir.core.client import Core, find_core
    from weir.mimic.carrier import carrier
    from weir.mimic.load import imitate
    from weir.mimic.presets import presets
    from weir.mimic.words import as_data
    from weir.replay.prepare import write_pattern

    change = presets.find(preset) if preset else None
    core = Core(find_core())
    _check_backend(request.backend, core)
    prepared, imitation = imitate(request, core, change)
    if out is not None:
        write_pattern(carrier(imitation), out)
    if as_json:
        head: dict[str, Any] = {
            "pattern": str(request.pattern),
            "backend": request.backend,
            "preset": preset,
            "inexact": list(imitation.pattern.inexact),
            "expected_error": error_data(expected_of(imitation, preset)),
        }
        print_json({**head, **as_data(imitation), "written": str(out) if out else None})
        return
    _show(imitation, prepared, request.backend, preset)
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


def _show(imitation: Imitation, prepared: Prepared, backend: str, preset: str | None) -> None:
    from weir.cli._expected_error import error_words, expected_of
    from weir.cli._inexact import inexact_lines
    from weir.mimic.derive import derive
    from weir.mimic.words import HEADINGS, difference, headline, loss_lines, rows, without_cost

    print_lines([f"{imitation.pattern.name} through {backend}: {headline(imitation)}"])
    print_lines([f"time in I/O calls by `weir predict`: {error_words(expected_of(imitation, preset))}"])
    print_lines(inexact_lines(imitation.pattern))
    print_table(HEADINGS, [row for phase in imitation.phases for row in rows(phase, imitation)])
    print_lines(difference(imitation))
    beside = list(without_cost(imitation))
    if prepared.made_independent:
        phases = ", ".join(prepared.made_independent)
        beside.append(
            f"{backend} has no collective calls, neither for the pattern: independent ones in {phases}"
        )
    unchanged = derive(imitation.pattern) if preset else imitation
    _show_losses(list(loss_lines(imitation)), set(loss_lines(unchanged)), beside, preset)


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
