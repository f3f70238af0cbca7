#!/usr/bin/env python3
"""Weir's storage benchmark beside IOR: the same cases, in turns, on the same files and caches.

Goals: our median is within 3 % of IOR's or better and our interval not all below IOR's; in memory, at 1 KiB
transfers, our operations a second are at least IOR's. Exit code 1 if a goal was missed.
"""

import os
import shutil
import sys
from pathlib import Path

from peers.bouts import Bout, Numbers, fight_all
from peers.ior import Ior
from peers.launch import Ranks, drop, empty, scratch
from peers.settings import parse, wanted
from peers.show import Outcome, show
from peers.storage_cases import INTERFACES, StorageCase, storage_cases
from peers.weir_core import WeirCore, by_phase

MEMORY = Path("/dev/shm")


def make_bout(case: StorageCase, directory: Path, core: WeirCore, ior: Ior, ranks: int) -> Bout:
    """The case as functions that launch either side in the directory."""
    files = case.files(directory, ranks)

    def prepare() -> None:
        if not case.dropped:
            return
        if not all(file.exists() for file in files):
            core.run("storage", case.writing_options(directory))
        drop(files)

    def ours() -> Numbers:
        prepare()
        key = "operations_per_s" if case.counts_operations else "bandwidth_bytes_per_s"
        return by_phase(core.run("storage", case.our_options(directory)), key)

    def theirs() -> Numbers:
        prepare()
        found = ior.run(case.their_arguments(directory))
        scale = case.transfer if case.counts_operations else 1
        return {phase: [value / scale for value in values] for phase, values in found.items()}

    return Bout(
        case.name,
        ours,
        theirs,
        least=1.0 if case.counts_operations else 0.97,
        unit="1/s" if case.counts_operations else "B/s",
        phases=case.phases,
        cleanup=lambda: empty(directory),
    )


def usable_cases(cases: list[StorageCase], core: WeirCore, ior: Ior) -> tuple[list[StorageCase], list[str]]:
    """Cases that both sides were built for, and what is left out."""
    skipped = []
    for backend in dict.fromkeys(case.backend for case in cases):
        if backend not in core.backends:
            skipped.append(f"{backend}: weir-core was built without it")
        elif INTERFACES[backend] not in ior.interfaces:
            skipped.append(f"{backend}: this ior was built without {INTERFACES[backend]}")
    usable = [c for c in cases if c.backend in core.backends and INTERFACES[c.backend] in ior.interfaces]
    return usable, skipped


def main() -> int:
    """Compare; returns the exit code."""
    settings = parse(__doc__ or "", "7m", "90s")
    ranks = Ranks(settings.ranks)
    program = shutil.which("ior")
    if program is None:
        return show(Outcome("IOR", skipped=["there is no ior on PATH to compare with"]), json=settings.json)
    ior, core = Ior(program, ranks), WeirCore(ranks)
    in_memory = os.access(MEMORY, os.W_OK)
    cases = storage_cases(quick=settings.quick, memory=MEMORY if in_memory else None)
    cases, skipped = usable_cases([c for c in cases if wanted(c.name, settings.only)], core, ior)
    if not in_memory:
        skipped.append(f"{MEMORY}: it cannot be written to")
    with scratch(settings.dir) as storage, scratch(MEMORY if in_memory else settings.dir) as memory:
        bouts = []
        for case in cases:
            directory = (memory if case.counts_operations else storage) / case.folder
            directory.mkdir(exist_ok=True)
            bouts.append(make_bout(case, directory, core, ior, settings.ranks))
        core.warm_memory(storage)
        fight_all(bouts, settings.budget_s)
    return show(Outcome("IOR", bouts, skipped, core.busy_cores), json=settings.json)


if __name__ == "__main__":
    sys.exit(main())
