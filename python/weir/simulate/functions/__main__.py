"""`python -m weir.simulate.functions FOLDER [--fit]`: the study of Saini et al. 2006 on a folder's machines.

With `--fit` the fitted values are searched first, and written there.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from weir.core.client import Core, find_core
from weir.files.write import write
from weir.simulate.find import load_machine
from weir.simulate.functions._speeds import seconds_by
from weir.simulate.functions.hpcc import TABLES, Study, fitted
from weir.simulate.model import Machine
from weir.simulate.write import machine_text


def with_values(text: str, machine: Machine) -> str:
    """The text of a machine's file with the fitted values of that one; all else stays, remarks too."""
    fitted_lines = {
        place: line for place, line in _placed(machine_text(machine)) if place[1] and '"fitted: ' in line
    }
    lines = [fitted_lines.get(place, line) for place, line in _placed(text)]
    return "\n".join(lines) + "\n"


def _placed(text: str) -> Iterator[tuple[tuple[str, str], str]]:
    """Each line, and the table and the key that it is of."""
    table = ""
    for line in text.splitlines():
        table = line if line.startswith("[") else table
        key, equals, _ = line.partition(" = ")
        yield (table, key if equals and not line.startswith("#") else ""), line


def main(folder: Path, *, fit: bool) -> None:
    """Print all tables."""
    seconds = seconds_by(Core(find_core()))
    paths = {path.stem: path for path in sorted(folder.glob("*.toml"))}
    study = Study({name: load_machine(path) for name, path in paths.items()}, seconds)
    if fit:
        found = Study(fitted(study), seconds)
        for name, machine in found.machines.items():
            if machine is not study.machines[name]:
                write(paths[name], with_values(paths[name].read_text(), machine).encode())
        study = found
    for title, (headings, rows) in TABLES.items():
        print(f"{title}\n\n| {' | '.join(headings)} |\n|{'---|' * len(headings)}")
        for row in rows(study):
            print(f"| {' | '.join(row)} |", flush=True)
        print()


if __name__ == "__main__":
    main(Path(sys.argv[1]), fit="--fit" in sys.argv)
