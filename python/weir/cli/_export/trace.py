"""`weir export` of a trace."""

from __future__ import annotations

import sys
from pathlib import Path

from weir.cli._export.output import check_output, opened
from weir.cli._output import print_json
from weir.errors import WeirError
from weir.exit_codes import ExitCode
from weir.redaction import Redactor
from weir.trace.exporter import find_exporter
from weir.trace.open import import_numpy, open_trace


def export_trace(
    path: Path, format: str, table: str | None, out: Path | None, *, redact: bool, json: bool
) -> None:
    """Write the trace's calls to a file, or to standard output. Raises WeirError where it has none."""
    if table is not None:
        raise WeirError(f"a trace has no table '{table}'", "it is one table, of calls", "leave --table out")
    import_numpy()
    chosen = find_exporter(format)
    chosen.prepare()
    check_output(out, is_text=chosen.is_text, json=json)
    trace = open_trace(path)
    for note in trace.notes:
        print(f"weir: {note}", file=sys.stderr)
    if not trace.records:
        raise WeirError(
            f"there is nothing to export in {path}", "it has no calls", "", ExitCode.NOTHING_SELECTED
        )
    if redact:
        from weir.trace.redact import redacted

        trace = redacted(trace, Redactor())
    with opened(out) as file:
        chosen.write(trace, file)
    if json:
        print_json({"file": str(out), "format": format, "table": "calls", "rows": trace.records})
