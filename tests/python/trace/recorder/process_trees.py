"""Random trees of processes, and what `weir trace` says was not seen of them."""

import json
import os
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from running import ended
from weir.trace.load import load_trace
from weir.trace.unseen import Unseen

from ..programs import ENVIRONMENT, WEIR, build, need

SOURCE = Path(__file__).with_name("process_tree.c")
BLOCK = 2**16
BY_ANYBODY = "fFbepvcokKt"
BY_ROOT = "nN"
DEEPEST = 4


def programs() -> dict[str, str]:
    """The program that makes trees, and the same one linked statically, as its environment names them."""
    need("cc")
    source = SOURCE.read_text()
    found = {}
    for name, options in (("TREE", ["-O1"]), ("TREE_STATIC", ["-O1", "-static"])):
        program, errors = build(source, ".c", "cc", *options, "-lpthread")
        assert program is not None, errors
        found[name] = str(program)
    return found


@dataclass(frozen=True)
class Taste:
    """Of a generator of trees."""

    ways: str = BY_ANYBODY + (BY_ROOT if os.geteuid() == 0 else "")
    """To make children."""
    also: str = "sSi"
    """Other things that processes do."""
    unseen: str = ""
    """What the recorder does not see: `d`, `z` or `Z`, exactly once."""


def random_tree(seed: int, taste: Taste) -> str:
    """The text of a tree."""
    dice = random.Random(seed)
    tree = _text(dice, taste, 0)
    if not taste.unseen:
        return tree
    places = [i for i in range(len(tree) + 1) if i == len(tree) or not (tree[i].isdigit() or tree[i] == "(")]
    place = dice.choice(places)
    return f"{tree[:place]}{taste.unseen}{dice.randint(16, 32)}{tree[place:]}"


def _text(dice: random.Random, taste: Taste, depth: int) -> str:
    """The last that a process does is to sleep a little, or not: so children end before and after parents."""
    simple: list[Callable[[], str]] = [
        lambda: f"w{dice.randint(1, 12)}",
        lambda: f"r{dice.randint(1, 12)}",
        lambda: f"x{dice.randint(1, 12)}",
        lambda: f"m{dice.randint(1, 20)}",
        lambda: dice.choice(taste.also or "m1"),
        lambda: "a" if dice.random() < 0.3 else "m1",
    ]
    parts = []
    for _ in range(dice.randint(1, 4)):
        if depth < DEEPEST and dice.random() < 0.55:
            parts.append(f"{dice.choice(taste.ways)}({_text(dice, taste, depth + 1)})")
        else:
            parts.append(dice.choice(simple)())
    return "".join(parts)


@dataclass(frozen=True)
class Outcome:
    """What came of a tree."""

    unseen: tuple[Unseen, ...]
    passed: int | None
    """Bytes that passed the recorder; None: what would have written them had been killed before."""
    ran_on: bool
    """Did processes still run when `weir trace` had ended? It told those, and does not know their counts."""

    @property
    def told(self) -> int:
        """Bytes of which it was said that no call was seen."""
        return sum(one.written for one in self.unseen if one.reason == "kernel")


def outcome_of(tree: str, folder: Path, of: dict[str, str]) -> Outcome:
    """Let `weir trace` run this tree in an empty folder, and wait for the end of all its processes."""
    folder.mkdir()
    (folder / "input").write_bytes(bytes(BLOCK))
    files = {
        name: str(folder / name.removeprefix("TREE_").lower())
        for name in ("TREE_FILE", "TREE_OTHER", "TREE_INPUT", "TREE_UNSEEN")
    }
    only = [word for name in ("TREE_FILE", "TREE_INPUT") for word in ("--only", files[name])]
    trace = folder / "trace"
    command = [*WEIR, "trace", "-o", trace, *only, "--", of["TREE"], tree]
    reading, writing = os.pipe()
    done = ended(*command, env={**ENVIRONMENT, **of, **files}, pass_fds=(writing,))
    os.close(writing)
    os.read(reading, 1)
    os.close(reading)
    assert done.returncode == 0, done.stderr
    unseen = tuple(one for one in load_trace(trace).unseen if one.reason != "running")
    passed = Path(files["TREE_UNSEEN"])
    ran_on = "running" in json.loads((trace / "head.json").read_text())
    return Outcome(unseen, passed.stat().st_size if passed.exists() else None, ran_on)


def may_end_with_namespace(tree: str) -> bool:
    """Is what passes the recorder in a namespace whose end kills others? The kernel drops their counts."""
    around: list[int] = []
    place = next(i for i, letter in enumerate(tree) if letter in "dzZ")
    for i, letter in enumerate(tree[:place]):
        if letter == "(":
            around.append(i)
        elif letter == ")":
            around.pop()
    inside = [_within(tree, begin) for begin in around if tree[begin - 1] in "nN"]
    return any(set("bKNZ") & set(text) for text in inside)


def _within(tree: str, begin: int) -> str:
    """What is in the parentheses that open there."""
    depth = 0
    for end in range(begin, len(tree)):
        depth += {"(": 1, ")": -1}.get(tree[end], 0)
        if depth == 0:
            return tree[begin + 1 : end]
    raise AssertionError(tree)


def smaller(tree: str, fails: Callable[[str], bool]) -> str:
    """A smaller tree that fails too."""
    again = True
    while again:
        again = False
        for cut in _cuts(tree):
            if fails(cut):
                tree, again = cut, True
                break
    return tree


def _cuts(tree: str) -> list[str]:
    """The tree without one of its parts, or with the inside of one in its place."""
    found = []
    for begin, letter in enumerate(tree):
        if not letter.isalpha():
            continue
        end = begin + 1
        if end < len(tree) and tree[end] == "(":
            depth = 1
            while depth:
                end += 1
                depth += {"(": 1, ")": -1}.get(tree[end], 0)
            end += 1
            found.append(tree[:begin] + tree[begin + 2 : end - 1] + tree[end:])
        else:
            while end < len(tree) and tree[end].isdigit():
                end += 1
        found.append(tree[:begin] + tree[end:])
    return sorted(found, key=len)


SEEN = Taste()
DIRECT = replace(SEEN, also="sS", unseen="d")
STATIC = replace(SEEN, also="sS", unseen="z")
STATIC_ORPHAN = replace(SEEN, also="sS", unseen="Z")
