"""`weir workload`: the pattern of an application that Weir does not run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from weir.cli import _completion as completion
from weir.cli._options import JsonOption, writes
from weir.cli._streams import print_json, print_lines
from weir.errors import WeirError
from weir.units import count_words

NameArgument = Annotated[
    str,
    typer.Argument(metavar="NAME", help="chombo or gtc.", autocompletion=completion.workloads),
]
RanksOption = Annotated[int, typer.Option("--ranks", min=1, help="Number of ranks.")]
SizeOption = Annotated[
    int,
    typer.Option(
        "--size", min=1, help="What a rank has: boxes of the coarsest level (chombo), particles (gtc)."
    ),
]
OutOption = Annotated[
    Path | None, typer.Option("--out", "-o", metavar="FILE", help="The pattern to write, as JSON.")
]


@writes
def command(
    name: NameArgument,
    out: OutOption = None,
    ranks: RanksOption = 4,
    size: SizeOption = 8,
    json: JsonOption = False,
) -> None:
    """Write the pattern of the I/O of an application that is not in Weir, from what is public of it: Chombo's
    plot file of all levels, GTC's restart file a process.
    """
    from weir.replay.prepare import write_pattern
    from weir.workloads import workloads

    workload = workloads.find(name)
    if out is None:
        example = f"name one, as in: weir workload {name} -o pattern.json"
        raise WeirError("there is no file to write the pattern to", "it takes --out", example)
    pattern = workload(ranks, size)
    write_pattern(pattern, out)
    if json:
        print_json({"pattern": str(out), "name": name, "ranks": ranks})
    else:
        print_lines([f"{name} on {count_words(ranks, 'rank')}", f"Written: {out}"])
