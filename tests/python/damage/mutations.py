"""Ways to damage a file: its bytes, and where it is JSON, its values."""

import json
import random
from typing import Any

CRUEL = [0, 1, 7, 0x7F, 0x80, 0xFF]
VALUES: list[Any] = [
    *(None, True, 0, -1, 1, 65, 2**31, 2**63, 2**64, -(2**63), 10**30, 0.5, -1e308, 1e308),
    *("", "x", "…", "\u0000\u001b[31m", "\ud800", "\u202e", "=1+1", "../.."),
    *([], [[]], {}, {"x": 1}, [1, 2, 3]),
]


def damaged(data: bytes, drawn: random.Random) -> bytes:
    """The bytes with one to three random changes."""
    for _ in range(drawn.choice([1, 1, 1, 2, 3])):
        changed = _with_other_value(data, drawn) if drawn.random() < 0.6 else None
        data = _with_other_bytes(data, drawn) if changed is None else changed
    return data


def _with_other_bytes(data: bytes, drawn: random.Random) -> bytes:
    size = len(data)
    at = drawn.randrange(size + 1)
    length = min(drawn.choice([1, 1, 2, 4, 8, 64, 4096]), size - at)
    some = drawn.choice(
        [
            *(bytes([drawn.choice(CRUEL)] * max(length, 1)), drawn.randbytes(max(length, 1))),
            *(b'"', b"[" * 5000, b"9" * 5000, b"nan", b"1e999"),
        ]
    )
    match drawn.randrange(6):
        case 0:
            return data[:at]
        case 1:
            return data[:at] + some + data[at + len(some) :]
        case 2:
            return data[:at] + some + data[at:]
        case 3:
            return data[:at] + data[at + length :]
        case 4:
            return data[: at + length] + data[at:]
        case _:
            bit = 1 << drawn.randrange(8)
            return data[:at] + bytes(one ^ bit for one in data[at : at + 1]) + data[at + 1 :]


def _with_other_value(data: bytes, drawn: random.Random) -> bytes | None:
    """JSON, or a line of it, with a value replaced, removed or named otherwise; None where it is none."""
    lines = data.split(b"\n")
    try:
        json.loads(data)
        at, text = None, data
    except (ValueError, RecursionError):
        at = drawn.randrange(len(lines))
        text = lines[at]
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return None
    places = list(_places(whole))
    if not places:
        return None
    holder, key = drawn.choice(places)
    match drawn.randrange(4):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, dict):
            holder[drawn.choice([*holder, "unknown"])] = holder.pop(key)
        case _:
            holder[key] = drawn.choice(VALUES)
    changed = json.dumps(whole).encode("utf-8", "surrogatepass")
    if at is None:
        return changed
    lines[at] = changed
    return b"\n".join(lines)


def _places(value: Any) -> Any:
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        if isinstance(holder, dict | list):
            for key in list(holder) if isinstance(holder, dict) else range(len(holder)):
                yield holder, key
                waiting.append(holder[key])
