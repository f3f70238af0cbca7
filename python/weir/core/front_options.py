"""Options of every benchmark that works in a directory, which the front end carries out before a launch and
the core does not know: how files lie on a parallel file system."""

from collections.abc import Iterable, Mapping
from typing import Any

from weir.core.option import Option

STRIPE_COUNT, STRIPE_BYTES = "stripe_count", "stripe_bytes"
_FEWEST_BYTES = 64 << 10
"""Of Lustre and BeeGFS: what else a size must be, each says itself."""

FRONT_OPTIONS = (
    Option(
        name=STRIPE_COUNT,
        type="count",
        min=1,
        max=1 << 16,
        group="stripes",
        help="storage targets over which each file is spread; left out: as the file system does",
    ),
    Option(
        name=STRIPE_BYTES,
        type="bytes",
        unit="B",
        min=_FEWEST_BYTES,
        group="stripes",
        help="bytes in a row on one of them; left out: as the file system does",
    ),
)
FRONT_KEYS = tuple(option.name for option in FRONT_OPTIONS)
_WORDS = {
    STRIPE_COUNT: {"1": "1 stripe", "*": "{} stripes"},
    STRIPE_BYTES: {"*": "stripes of {}"},
}
"""What results call their values, as the core declares it of its own."""
DIRECTORY_OPTION = "dir"


def front_of(names: Iterable[str]) -> tuple[Option, ...]:
    """Those that a benchmark has whose own options have these names."""
    return FRONT_OPTIONS if DIRECTORY_OPTION in set(names) else ()


def with_front(options: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """A benchmark's options as the core declares them, and those of the front end that it has."""
    own = list(options)
    front = [
        {"name": one.name, "unit": one.unit, "words": _WORDS[one.name], "default": None}
        for one in front_of(one["name"] for one in own)
    ]
    return own + [one for one in front if one["name"] not in {other["name"] for other in own}]
