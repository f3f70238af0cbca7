"""Reading what others wrote: a bound on its size and depth, known before anything is made of it."""

import re
import tomllib
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, overload

import msgspec

from weir.errors import WeirError

T = TypeVar("T")

MIB = 1 << 20
MOST_TOML_BYTES = MIB
MOST_DEPTH = 32
"""Of tables and arrays within each other; Weir's own studies have 5."""

_KEY = r"""(?:[\w-]++|"[^"\n]*"|'[^'\n]*')[ \t]*"""
_DEEP_KEY = re.compile(rf"(?<![\w-])(?:{_KEY}\.[ \t]*){{{MOST_DEPTH}}}")


def read_at_most(file: BinaryIO, most: int, path: Path) -> bytes:
    """The open file's bytes. Raises OSError, and WeirError where there are more than `most` of them."""
    data = bytearray()
    while len(data) <= most and (more := file.read(MIB)):
        data += more
    if len(data) > most:
        raise WeirError(
            f"'{path}' is too large",
            f"it has more than {most / MIB:.0f} MiB",
            "check that it is the right file",
        )
    return bytes(data)


@overload
def decode_json(data: bytes | str) -> Any: ...
@overload
def decode_json(data: bytes | str, type: type[T]) -> T: ...
def decode_json(data: bytes | str, type: Any = Any) -> Any:
    """JSON as msgspec decodes it; msgspec.DecodeError also where it is nested too deeply or no UTF-8."""
    try:
        return msgspec.json.decode(data, type=type)
    except RecursionError:
        raise msgspec.DecodeError("JSON is nested too deeply") from None
    except UnicodeDecodeError as error:
        raise msgspec.DecodeError(f"JSON holds bytes that are no UTF-8 (byte {error.start})") from None


def decode_toml(text: str) -> dict[str, Any]:
    """TOML as a tree of at most MOST_DEPTH levels. Raises tomllib.TOMLDecodeError for all that is not."""
    if len(text) > MOST_TOML_BYTES:
        raise tomllib.TOMLDecodeError(f"it has more than {MOST_TOML_BYTES / MIB:.0f} MiB")
    if found := _DEEP_KEY.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise tomllib.TOMLDecodeError(f"a key of more than {MOST_DEPTH} parts (at line {line}, column 1)")
    try:
        tree = tomllib.loads(text)
    except RecursionError:
        raise tomllib.TOMLDecodeError("it is nested too deeply") from None
    except tomllib.TOMLDecodeError:
        raise
    except ValueError as error:  # of dates that are none, and of numbers with thousands of digits
        raise tomllib.TOMLDecodeError(str(error)) from None
    _check_values(tree)
    return tree


def _check_values(tree: Any) -> None:
    """Raises tomllib.TOMLDecodeError for what TOML's own numbers do not hold, and for a deeper tree."""
    level = [tree]
    for depth in range(MOST_DEPTH + 1):
        if any(isinstance(one, int) and not -(1 << 63) <= one < 1 << 64 for one in level):
            raise tomllib.TOMLDecodeError("a whole number has more than 64 bits")
        holders = [one for one in level if isinstance(one, dict | list)]
        if holders and depth == MOST_DEPTH:
            raise tomllib.TOMLDecodeError(f"it is nested more than {MOST_DEPTH} deep")
        level = [inner for one in holders for inner in (one.values() if isinstance(one, dict) else one)]
