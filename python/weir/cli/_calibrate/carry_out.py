"""The real run behind `weir calibrate`, and the one that `weir run` starts where a study asks for it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec

from weir.calibrate.calibration import Calibration
from weir.calibrate.protocol import calibrate
from weir.calibrate.situation import Situation, Wish, situation_of
from weir.calibrate.store import save
from weir.cli._calibrate.progress import open_teller
from weir.cli._calibrate.show import show_calibration
from weir.cli._output import print_json
from weir.cli._progress import progress_kind
from weir.core.client import Core
from weir.core.locate import find_core
from weir.counts import count_words
from weir.errors import Interrupted
from weir.exit_codes import ExitCode
from weir.launch.base import find_launcher
from weir.units import format_bytes, format_seconds


def calibrate_and_show(wish: Wish, progress: str, *, dry_run: bool, as_json: bool) -> ExitCode:
    """Calibrate, keep, print; returns the exit code."""
    if dry_run:
        return _show_outlook(wish, as_json=as_json)
    calibration, path = calibrate_and_keep(wish, progress)
    if as_json:
        data: dict[str, Any] = msgspec.to_builtins(calibration)
        print_json({"path": str(path), **data})
    else:
        show_calibration(calibration, path)
    return ExitCode.FINE if calibration.verdict == "found" else ExitCode.INCONCLUSIVE


def calibrate_and_keep(wish: Wish, progress: str) -> tuple[Calibration, Path]:
    """Calibrate with progress on standard error, and keep what was found."""
    kind = progress_kind(progress)
    core, launcher = Core(find_core()), find_launcher(wish.launcher_name)
    with open_teller(kind) as tell:
        try:
            calibration = calibrate(wish, core, launcher, tell)
        except Interrupted:
            tell("of a calibration that is not finished nothing is kept; the files are removed")
            raise
    return calibration, save(calibration)


def _show_outlook(wish: Wish, *, as_json: bool) -> ExitCode:
    situation = situation_of(wish)
    if as_json:
        print_json({"dry_run": msgspec.to_builtins(situation)})
    else:
        sys.stdout.write("\n".join(outlook_words(situation, wish)) + "\n")
    return ExitCode.FINE


def outlook_words(situation: Situation, wish: Wish) -> list[str]:
    """What a calibration would do."""
    sizes = situation.bounds.range
    lines = [
        f"A calibration of '{wish.directory}' begins with files of {format_bytes(sizes.start)} a rank"
        f" ({count_words(situation.ranks, 'rank')}) and goes up to {format_bytes(sizes.most)} where it still"
        " changes.",
        f"It writes at most {format_bytes(situation.most_written_bytes)}, a third of an exhaustive sweep"
        f" ({format_bytes(situation.exhaustive_bytes)} in all where noise hides the answer),"
        f" and takes at most about {format_seconds(wish.budget_s)}.",
    ]
    if situation.bounds.cut:
        lines.append(
            f"Larger files are ruled out by {situation.bounds.cut}: the cache's end may not be seen."
        )
    return lines
