"""`weir show`: the results of a run as a table."""

from weir.cli._options import JsonOption, RunArgument
from weir.cli._streams import print_json


def command(run: RunArgument, json: JsonOption = False) -> None:
    """Show the results in RUN: every case and phase with its median, 95 % interval, samples, verdict and
    flags, the durations of its requests, and the findings."""
    from weir.cli._results import show_summary, summary_data
    from weir.store.run_directory import RunDirectory

    opened = RunDirectory(run)
    opened.info()
    if json:
        print_json({"run": str(run), **summary_data(opened)})
    else:
        show_summary(opened, requests=True)
