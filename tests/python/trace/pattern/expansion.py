"""What a pattern says that a rank does, operation by operation."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

Operation = tuple[str, str, int, int]


def expand(path: Path, rank: int) -> list[Operation]:
    """Verb, file, offset and length; compute and barriers too, with their times as nothing."""
    pattern = msgspec.json.decode(path.read_bytes())
    return [one for phase in pattern["phases"] for one in _steps(pattern, path, phase["steps"], rank, [])]


def _steps(pattern: Any, path: Path, steps: Any, rank: int, turns: list[int]) -> Iterator[Operation]:
    for step in steps:
        ((kind, body),) = step.items()
        if kind == "repeat":
            for turn in range(body["count"]):
                yield from _steps(pattern, path, body["steps"], rank, [*turns, turn])
            continue
        sets = body.get("ranks", {"first": 0, "count": pattern["ranks"], "step": 1})
        own = [i for i, r in enumerate(_ranks(sets)) if r == rank]
        if not own:
            continue
        file = body.get("file", 0) + _moved(body.get("file_advance"), turns)
        name = pattern["files"][file]["name"] if "file" in body else ""
        if kind == "access":
            moved = _moved(body.get("advance"), turns)
            for offset, length in _pieces(path, body, own[0]):
                yield body["verb"], name, offset + moved, length
        else:
            yield kind, name, 0, body.get("bytes", 0)


def _ranks(sets: Any) -> list[int]:
    if isinstance(sets, list):
        return [rank for one in sets for rank in _ranks(one)]
    return [sets["first"] + i * sets["step"] for i in range(sets["count"])]


def _moved(advance: list[int] | None, turns: list[int]) -> int:
    assert advance is None or len(advance) == len(turns)
    return 0 if advance is None else sum(a * b for a, b in zip(advance, turns, strict=True))


def _places(levels: Any) -> list[int]:
    places = [0]
    for level in levels:
        places = [place + i * level["stride"] for place in places for i in range(level["count"])]
    return places


def _pieces(path: Path, body: Any, place: int) -> list[tuple[int, int]]:
    if "lists" in body:
        flat = body["lists"][place]
        return list(zip(flat[::2], flat[1::2], strict=True))
    if "lists_file" in body:
        words = np.fromfile(path.with_name(body["lists_file"]), "<u8")
        starts, pieces = words[2 : int(words[1]) + 3], words[int(words[1]) + 3 :].reshape(-1, 2)
        return [(int(o), int(n)) for o, n in pieces[int(starts[place]) : int(starts[place + 1])]]
    start = body["extent"]["start"] + _places(body["rank_levels"])[place if body["rank_levels"] else 0]
    return [(start + place, body["extent"]["length"]) for place in _places(body["extent"]["levels"])]
