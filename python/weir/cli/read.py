"""`weir read`: what another benchmark printed, as a run."""

from __future__ import annotations

import datetime
import shlex
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weir.cli._options import JsonOption, writes
from weir.cli._streams import print_json, print_lines, print_table, results_told
from weir.errors import ExitCode, WeirError
from weir.handed.takes import Takes

if TYPE_CHECKING:
    from weir.reading.make_run import Made

FilesArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FILE...",
        help="Its standard output, or NAME=FILE: NAME sets its results apart, as a machine's name does.",
    ),
    Takes(("output",), labelled=True),
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out", metavar="RUN", help="The run to create. Default: runs/read-TIME; of --io500: folder io500."
    ),
]
SubmissionsOption = Annotated[
    Path | None,
    typer.Option(
        "--io500",
        metavar="FOLDER",
        help="In place of files: IO500's submissions below a folder, each as a profile in a new folder.",
    ),
]


@writes
def command(
    files: FilesArgument = None,
    submissions: SubmissionsOption = None,
    out: OutOption = None,
    json: JsonOption = False,
) -> ExitCode:
    """Make a run of what the Intel MPI Benchmarks (IMB) printed, in this or in another year.

    Each table's row is a sample of its case; the same case in several files, or several times in one, has
    several. Exit codes: 0 all was read; 2 nothing was written; 3 a line contradicts itself; 4 IMB found
    wrong data. Such lines are told, and left out.
    """
    if submissions is not None:
        from weir.cli._submissions import read_submissions

        return read_submissions(submissions, files or [], out, as_json=json)
    from weir.reading.files import named, read_files
    from weir.reading.make_run import make_run
    from weir.store.run_directory import RunDirectory, new_run

    if not files:
        raise WeirError("nothing to read is named", "", "name a file of results, or --io500 FOLDER")
    place = out or new_run("read", datetime.datetime.now())
    RunDirectory(place).check_own()
    made = make_run(place, read_files(map(named, files)), sys.argv)
    with results_told(place):
        if json:
            print_json(_as_data(made))
        else:
            _show(made)
    return made.exit_code


def _as_data(made: Made) -> dict[str, Any]:
    """What was read, for programs."""
    info = made.run.info()
    return {
        "run": str(made.run.path),
        "exit_code": int(made.exit_code),
        "read_from": info.read_from,
        "cases": len(made.of_kind("case")),
        "samples": len(made.of_kind("sample")),
        "failures": made.of_kind("failure"),
        "left_out": made.of_kind("left_out"),
        "notes": made.notes,
    }


def _show(made: Made) -> None:
    """A line a function and number of ranks, what is missing, and where the run is."""
    from weir.study.case import LeftOut, left_out_words

    cases = {line["case"]: line for line in made.of_kind("case")}
    samples = Counter(line["case"] for line in made.of_kind("sample"))
    rows: dict[tuple[str, str, int], list[int]] = {}
    for name, case in cases.items():
        key = (case["comparisons"][0], case["options"]["source"] or "unknown", case["ranks"])
        rows.setdefault(key, []).append(samples[name])
    print_table(
        ("function", "~results of", ">ranks", ">cases", ">samples"),
        [[*key[:2], str(key[2]), str(len(counts)), str(sum(counts))] for key, counts in rows.items()],
    )
    left = [
        LeftOut(line["label"], tuple(line["comparisons"]), line["why"]) for line in made.of_kind("left_out")
    ]
    said = [f"{line['problem']} ({line['reason']})" for line in made.of_kind("failure")]
    for line in [*said, *left_out_words(left), *made.notes]:
        print(f"weir: {line}", file=sys.stderr)
    print_lines([f"This run is in '{made.run.path}': `weir show {shlex.quote(str(made.run.path))}`"])
