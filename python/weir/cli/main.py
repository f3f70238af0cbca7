"""Entry point of the `weir` program."""

from weir.cli._app import build_app
from weir.cli._streams import make_streams_printable


def main() -> None:
    """Run the verb named on the command line; ends the process with one of the documented exit codes."""
    make_streams_printable()
    build_app()()


if __name__ == "__main__":
    main()
