"""What a person is told who stops a verb that has nothing to keep."""

from collections.abc import Iterator
from contextlib import contextmanager

from weir.errors import ExitCode, Interrupted, WeirError


@contextmanager
def nothing_kept() -> Iterator[None]:
    """Inside, an interruption loses all that was done. Raises WeirError, which says so."""
    try:
        yield
    except (KeyboardInterrupt, Interrupted) as error:
        raise WeirError("interrupted", "nothing was kept", "", ExitCode.INTERRUPTED) from error
