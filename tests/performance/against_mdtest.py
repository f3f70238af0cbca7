#!/usr/bin/env python3
"""Weir's metadata benchmark beside mdtest: files of no bytes in one directory, or one for each rank.

Goal: our rates are at least mdtest's. Exit code 1 if it was missed.
"""

import shutil
import sys
from pathlib import Path
from typing import Any

from peers.bouts import Bout, Numbers, fight_all
from peers.launch import Ranks, empty, scratch
from peers.mdtest import PHASES, Mdtest
from peers.settings import parse, wanted
from peers.show import Outcome, show
from peers.weir_core import WeirCore, by_phase

LAYOUTS = ("shared-directory", "private-directory")
FILES = 2000


def make_bout(layout: str, directory: Path, core: WeirCore, mdtest: Mdtest) -> Bout:
    """A layout of both sides as functions that launch it in the directory."""

    def ours() -> Numbers:
        options: dict[str, Any] = {"layout": layout, "files": FILES, "dir": directory}
        return by_phase(core.run("metadata", options), "operations_per_s")

    return Bout(
        f"metadata {layout}",
        ours,
        lambda: mdtest.run(directory, FILES, layout),
        least=1.0,
        unit="files/s",
        phases={phase: phase for phase in PHASES},
        cleanup=lambda: empty(directory),
    )


def main() -> int:
    """Compare; returns the exit code."""
    settings = parse(__doc__ or "", "75s", "25s")
    ranks = Ranks(settings.ranks)
    program = shutil.which("mdtest")
    if program is None:
        skipped = ["there is no mdtest on PATH to compare with"]
        return show(Outcome("mdtest", skipped=skipped), json=settings.json)
    mdtest, core = Mdtest(program, ranks), WeirCore(ranks)
    if "metadata" not in core.benchmarks:
        skipped = ["weir-core was built without the benchmark metadata"]
        return show(Outcome("mdtest", skipped=skipped), json=settings.json)
    with scratch(settings.dir) as storage:
        bouts = []
        for layout in (layout for layout in LAYOUTS if wanted(f"metadata {layout}", settings.only)):
            directory = storage / layout
            directory.mkdir()
            bouts.append(make_bout(layout, directory, core, mdtest))
        fight_all(bouts, settings.budget_s)
    return show(Outcome("mdtest", bouts, busy_cores=core.busy_cores), json=settings.json)


if __name__ == "__main__":
    sys.exit(main())
