"""Models of machines, and numbers that they are fitted to."""

import re

from weir.files.thing import Thing
from weir.handed.kind import kind
from weir.simulate.find import own_machines

_TABLE = re.compile(rb"^\[(nodes|network)\]", re.MULTILINE)


@kind("machine", "a model of a machine", "`weir predict PATTERN --on {0}` simulates a pattern on it")
def machine(thing: Thing) -> bool:
    """TOML with its first tables, or the name of one of Weir's own."""
    return thing.word in own_machines() or _TABLE.search(thing.begin) is not None


@kind("numbers", "numbers of a machine", "`weir fit MODEL {0} --free KEY` fits a model to them")
def numbers(thing: Thing) -> bool:
    """A table of them."""
    lines = (line for line in thing.begin.splitlines() if line.strip() and not line.startswith(b"#"))
    return thing.path.suffix == ".csv" and b"quantity" in next(lines, b"")
