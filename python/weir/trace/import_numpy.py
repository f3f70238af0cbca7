"""NumPy, which verbs that read traces need, where memory may be short."""

import importlib
import importlib.util
import mmap
import os

from weir.errors import WeirError

_THREADS = "OPENBLAS_NUM_THREADS"
_ROOM = 96 << 20
"""A little more than NumPy and its libraries map. Its linear algebra ends the process where it gets less."""


def import_numpy() -> None:
    """To be called before anything that imports NumPy, which Weir uses for no linear algebra: so that starts
    no threads. Where it may not, it would send this process SIGINT. Raises WeirError where NumPy is missing,
    or memory for it."""
    if importlib.util.find_spec("numpy") is None:
        raise WeirError(
            "cannot read a trace", "NumPy is not installed", "install it: pip install 'weir[trace]'"
        )
    before = os.environ.get(_THREADS)
    os.environ[_THREADS] = "1"
    try:
        mmap.mmap(-1, _ROOM).close()
        importlib.import_module("numpy")
    except (OSError, MemoryError, ImportError) as error:
        raise WeirError(
            "cannot load NumPy", _why(error), "give it more memory (ulimit -v, a cgroup's bound)"
        ) from None
    finally:
        if before is None:
            del os.environ[_THREADS]
        else:
            os.environ[_THREADS] = before


def _why(error: Exception) -> str:
    if isinstance(error, ImportError) and "failed to map" not in str(error):
        return str(error).strip().splitlines()[-1]
    return "out of memory: the system maps no more for this process"
