"""What `weir trace` and `weir pack` leave, and other tools' logs."""

from weir.files.thing import BEGIN_BYTES, Thing
from weir.handed.kind import kind
from weir.trace.importer import HEAD_BYTES, importers
from weir.trace.pack.magic import MAGIC

SHOWN = "`weir explain {0}` shows it"
PATTERN = "`weir pattern {0} -o pattern.json` makes a pattern of it"

assert HEAD_BYTES <= BEGIN_BYTES


@kind(
    "trace",
    "a trace",
    SHOWN,
    ("*.process", "*.names", "*.records", "*.counts", "head.json"),
    pattern=PATTERN,
)
def trace(thing: Thing) -> bool:
    """A folder with processes."""
    return thing.holds("*.process")


@kind(
    "packed-trace",
    "a packed trace",
    SHOWN,
    pattern=PATTERN,
    trace="`weir pack --unpack {0}` makes the folder again",
)
def packed(thing: Thing) -> bool:
    """A file of `weir pack`."""
    return thing.begin.startswith(MAGIC)


@kind("log", "another tool's log", SHOWN)
def log(thing: Thing) -> bool:
    """One that an importer recognises."""
    return bool(thing.begin) and any(one.recognises(thing.begin[:HEAD_BYTES]) for one in importers())
