"""`weir list`: what there is to choose from."""

from typing import Annotated, Any

import typer

from weir.cli._options import JsonOption

WhatArgument = Annotated[
    str | None, typer.Argument(metavar="[BENCHMARK]", help="Show the options of this one.")
]


def command(benchmark: WhatArgument = None, json: JsonOption = False) -> None:
    """List benchmarks, back-ends, launchers, studies and figures; with a benchmark's name, all of its
    options."""
    from weir.cli._list.gather import gather
    from weir.cli._list.show import show_benchmark, show_overview
    from weir.cli._output import print_json

    found: dict[str, Any] = gather(benchmark)
    if json:
        print_json(found)
    elif benchmark is not None:
        show_benchmark(found["benchmarks"][0])
    else:
        show_overview(found)
