"""`python -m weir.simulate.functions FOLDER [--fit]`: the study of Saini et al. 2006 on a folder's machines.

With `--fit` the fitted values are searched first, and written there.
"""

import sys
from pathlib import Path

from weir.core.client import Core, find_core
from weir.files.write import write
from weir.pattern import Pattern
from weir.simulate.find import load_machine
from weir.simulate.functions.hpcc import TABLES, Study, fitted
from weir.simulate.model import Machine
from weir.simulate.result import Simulation
from weir.simulate.write import machine_text

CORE = Core(find_core())


def seconds(machine: Machine, pattern: Pattern) -> float:
    """What the core says."""
    return CORE.simulate({"machine": machine.as_core(), "pattern": pattern}, Simulation).time_s


def main(folder: Path, *, fit: bool) -> None:
    """Print all tables."""
    paths = {path.stem: path for path in sorted(folder.glob("*.toml"))}
    study = Study({name: load_machine(path) for name, path in paths.items()}, seconds)
    if fit:
        found = Study(fitted(study), seconds)
        for name, machine in found.machines.items():
            if machine is not study.machines[name]:
                write(paths[name], machine_text(machine).encode())
        study = found
    for title, (headings, rows) in TABLES.items():
        print(f"{title}\n\n| {' | '.join(headings)} |\n|{'---|' * len(headings)}")
        for row in rows(study):
            print(f"| {' | '.join(row)} |", flush=True)
        print()


if __name__ == "__main__":
    main(Path(sys.argv[1]), fit="--fit" in sys.argv)
