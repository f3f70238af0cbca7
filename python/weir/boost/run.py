"""Puts the library before a program, and gives way to it."""

import os
import signal
from collections.abc import Sequence
from typing import NoReturn

from weir.preload import find_library, passed_on, preloading
from weir.trace.record.program import cannot_begin, check_command

LIBRARY = "libweir-boost.so"
VARIABLE = "WEIR_BOOST_LIBRARY"


def boost(command: Sequence[str]) -> NoReturn:
    """Become this program, which loads the library: its input, output, signals and exit status are its own.
    Raises WeirError if it cannot be started, or cannot load a library."""
    check_command(command, "boost")
    environment = preloading(find_library(LIBRARY, VARIABLE), {}, os.environ, VARIABLE)
    words = passed_on(command, environment)
    for ignored_by_python in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(ignored_by_python, signal.SIG_DFL)
    try:
        os.execvpe(words[0], words, environment)
    except OSError as error:
        raise cannot_begin(words[0], error) from None
