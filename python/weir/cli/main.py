"""Entry point of the `weir` program."""

from weir.cli._app import build_app


def main() -> None:
    """Run the verb named on the command line; ends the process with one of the documented exit codes."""
    build_app()()


if __name__ == "__main__":
    main()
