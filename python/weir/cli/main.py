"""Entry point of the `weir` program."""

import sys

from weir.cli._app import build_app
from weir.cli._errors import exit_code_of
from weir.cli._streams import OutputLost, make_streams_printable


def main() -> None:
    """Run the verb named on the command line; ends the process with one of the documented exit codes."""
    make_streams_printable()
    try:
        try:
            build_app()()
        finally:
            sys.stdout.flush()
    except OutputLost as lost:  # of help and usage, which no verb prints
        sys.exit(exit_code_of(lost, as_json=False))


if __name__ == "__main__":
    main()
