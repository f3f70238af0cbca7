"""`weir profile`: a run's results as one small file."""

from pathlib import Path
from typing import Annotated

import typer

from weir.cli._options import RedactOption, RunArgument, writes
from weir.errors import ExitCode, system_errors
from weir.printable import printable

OutOption = Annotated[
    Path | None, typer.Option("-o", "--out", metavar="FILE", help="Default: NAME.profile.json here.")
]
NameOption = Annotated[
    str | None, typer.Option("--name", help="What the machine is called. Default: its host's name.")
]


@writes
def command(
    run: RunArgument, out: OutOption = None, name: NameOption = None, redact: RedactOption = False
) -> ExitCode:
    """Write the results of RUN and what machine it was as one file, which `weir compare` takes.

    Every sample is in it, and no path of the run; with --redact no name of a host either.
    """
    from weir.compare.profile import encode
    from weir.files.write import written
    from weir.ratios.derived import whole_profile
    from weir.report.gather import gather
    from weir.store.run_directory import open_run

    contents = gather(open_run(run, redact=redact))
    made = whole_profile(contents, run, printable(name or ""))
    path = out or Path(f"{_file_name(made.name)}.profile.json")
    with system_errors(f"cannot write '{path}'", "choose another file with --out"), written(path) as file:
        file.write(encode(made))
    print(printable(str(path)))
    return ExitCode.FINE


def _file_name(name: str) -> str:
    return "".join(one if one.isalnum() or one in "-_." else "-" for one in name).lstrip(".") or "machine"
