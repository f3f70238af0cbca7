"""`weir report`: a run as one page that works offline."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from weir.cli import _completion as completion
from weir.cli._options import JsonOption, RedactOption, RunArgument, writes
from weir.cli._streams import print_json
from weir.errors import ExitCode, WeirError
from weir.printable import printable

OutOption = Annotated[
    Path | None,
    typer.Option(
        "--out", help="The HTML file to write, in place of one that is there. Default: RUN/report.html."
    ),
]
PdfOption = Annotated[
    bool,
    typer.Option(
        "--pdf", help="In place of the HTML file one page of A4 for print, as PDF. Default: RUN/report.pdf."
    ),
]
FiguresOption = Annotated[
    Path | None, typer.Option("--figures", help="Also write each figure as a file, into this folder.")
]
FormatOption = Annotated[
    str,
    typer.Option(
        "--format",
        help="Format of the figure files: svg, png or pdf.",
        autocompletion=completion.one_of("svg", "png", "pdf"),
    ),
]


@writes
def command(
    run: RunArgument,
    out: OutOption = None,
    pdf: PdfOption = False,
    figures: FiguresOption = None,
    format: FormatOption = "svg",
    redact: RedactOption = False,
    json: JsonOption = False,
) -> ExitCode:
    """Write the report of RUN, one HTML file that needs no network, and print its path.

    With --pdf it is one page for print. With --figures the figures are also written as files for papers and
    slides. With --json the findings and all results go to standard output.
    """
    from weir.figures.render import check_format, export
    from weir.report.build import as_data
    from weir.report.page import write_page, write_report_print

    if pdf:
        if figures or json:
            raise WeirError("--pdf goes without --figures and --json", "", "leave out one of them")
        print(printable(str(write_report_print(run, out, redact=redact))))
        return ExitCode.FINE
    check_format(format)
    written = write_page(run, out, redact=redact)
    files = export(list(written.report.drawings), figures, format) if figures else []
    if written.no_figures is not None:
        why = written.no_figures
        told = WeirError("the page has no figures", why.why, why.suggestion)
        print(f"weir: {told}", file=sys.stderr)
    if json:
        print_json({"page": str(written.page), "figures": list(map(str, files)), **as_data(written.report)})
        return ExitCode.FINE
    for path in [*files, written.page]:
        print(printable(str(path)))
    return ExitCode.FINE
