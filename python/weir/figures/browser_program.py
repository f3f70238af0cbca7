"""The program that draws a page's figures in a browser. Making it takes seconds, and each page has the same:
it is kept in the person's cache."""

import hashlib
import importlib.util
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from weir.errors import WeirError
from weir.figures.engine import PACKAGE, Engine
from weir.files.cache import cache_folder, identity, keep
from weir.files.plain import read_own


@contextmanager
def browser_program() -> Iterator[Callable[[], str]]:
    """A call that returns the program; where it is not kept, it is made meanwhile by an engine of its own. To
    be used where the package is installed. Both raise WeirError if that engine dies."""
    path = _path()
    kept = _kept(path)
    if kept is not None:
        yield lambda: kept
        return
    with closing(Engine()) as beside:
        beside.begin_javascript_bundle()

        def made() -> str:
            program = beside.end_javascript_bundle()
            keep(path, _sealed(program.encode()))
            return program

        yield made


def _path() -> Path:
    """Where the program of the installed version is kept."""
    found = importlib.util.find_spec(PACKAGE)
    assert found is not None and found.origin is not None
    return cache_folder() / f"browser-program-{identity(Path(found.origin))}.js"


def _sealed(program: bytes) -> bytes:
    return hashlib.sha256(program).hexdigest().encode() + b"\n" + program


def _kept(path: Path) -> str | None:
    """None where it is not there, or not whole, as after a power failure: the page would show nothing."""
    try:
        content = read_own(path)
    except (OSError, WeirError):
        return None
    program = content.partition(b"\n")[2]
    return program.decode() if content == _sealed(program) else None
