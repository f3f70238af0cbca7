"""Entry point of the `weir` program."""

import signal
import sys
from types import FrameType

from weir.errors import INTERRUPTED, ExitCode, Interrupted


def main() -> None:
    """Run the verb named on the command line; ends the process with one of the documented exit codes."""
    try:
        # First of all: what the verbs need takes a while to load.
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is signal.SIG_DFL:  # nohup has it ignored
                signal.signal(number, _interrupt)
        _run_verb()
    except (Interrupted, KeyboardInterrupt):  # outside any verb
        print(INTERRUPTED, file=sys.stderr)
        sys.exit(int(ExitCode.INTERRUPTED))


def _run_verb() -> None:
    from weir.cli._errors import exit_code_of
    from weir.cli._streams import OutputLost, make_streams_printable

    make_streams_printable()
    try:
        try:
            from weir.cli._app import build_app

            build_app()()
        finally:
            sys.stdout.flush()
    except OutputLost as lost:  # of help and usage, which no verb prints
        sys.exit(exit_code_of(lost, as_json=False))


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise Interrupted(number)


if __name__ == "__main__":
    main()
