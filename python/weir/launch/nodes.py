"""The nodes on which a study is run one by one: a list as Slurm writes it, a file of hosts as mpirun reads
it, or the nodes of the job that Weir runs in."""

import itertools
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from weir.errors import WeirError
from weir.files.named import read_named

MOST = 10_000
_MOST_BYTES = 1 << 20
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_RANGE = re.compile(r"([0-9]+)(?:-([0-9]+))?")
_ADVICE = "write for example --nodes 'n[01-16]'"
_OF_JOB = ("SLURM_JOB_NODELIST", "SLURM_NODELIST")
_CPUS, _TASKS = "SLURM_JOB_CPUS_PER_NODE", "SLURM_TASKS_PER_NODE"
_COUNT = re.compile(r"([1-9][0-9]{0,8})(?:\(x[0-9]+\))?")
_FILES_OF_JOB = (
    "PBS_NODEFILE",
    "LSB_DJOB_HOSTFILE",
    "OMPI_MCA_orte_default_hostfile",
    "PRTE_MCA_prte_default_hostfile",
    "HYDRA_HOST_FILE",
)
"""The last ones are mpirun's own, of Open MPI 4 and 5 and of MPICH."""


@dataclass(frozen=True)
class Node:
    """A host by the name that the launcher knows. `slots`: ranks that a file of hosts gives it, null where
    none says."""

    name: str
    slots: int | None = None


def named_nodes(text: str) -> tuple[Node, ...]:
    """Those of "n1,n2,login" or "n[01-03,7],r[1-2]n[1-4]", each with ":4" behind it where it has so many
    slots. Raises WeirError for what is no list, and for a node named twice."""
    found = [node for part in _parts(text) for node in _nodes(part, text)]
    names = [node.name for node in found]
    twice = (
        next((name for at, name in enumerate(names) if name in names[:at]), None) if _repeats(names) else None
    )
    if twice:
        raise WeirError(f"node '{twice}' is named twice", "each is measured by itself", "name it once")
    return tuple(found)


def nodes_of_file(path: Path) -> tuple[Node, ...]:
    """Those of a file of hosts, one a line: "n01", "n01 slots=4", "n01:4". A host that stands there again has
    a slot more each time, as in mpirun. Raises WeirError where it cannot be read, or names none."""
    text = read_named(path, _MOST_BYTES, "the file of hosts", "name a file with a host a line").decode(
        "utf-8", "replace"
    )
    slots: dict[str, list[int | None]] = {}
    for line in text.splitlines():
        words = line.partition("#")[0].split()
        if words:
            name, _, count = words[0].partition(":")
            said = [count, *(word.removeprefix("slots=") for word in words[1:] if word.startswith("slots="))]
            node = _checked(name, next((one for one in said if one), ""), f"{path}")
            slots.setdefault(node.name, []).append(node.slots)
    if not slots:
        raise WeirError(f"'{path}' names no host", "it has no line with one", "write a host a line")
    return tuple(Node(name, _sum(counts)) for name, counts in slots.items())


def nodes_of_job(environment: Mapping[str, str] = os.environ) -> tuple[Node, ...]:
    """Those of the job that this is part of, or on which mpirun starts ranks without one, by the variables
    that say so; empty where none does. Raises WeirError where
    they name what is no list."""
    for name in _OF_JOB:
        if environment.get(name):
            return named_nodes(environment[name])
    for name in _FILES_OF_JOB:
        if environment.get(name):
            return nodes_of_file(Path(environment[name]))
    return ()


def cpus_of_job(environment: Mapping[str, str] = os.environ) -> int | None:
    """The least that a node of the job has for it; None outside of one, and where no variable says it."""
    if environment.get(_CPUS):
        return _least(environment[_CPUS])
    slots = [node.slots for node in nodes_of_job(environment)]
    known = [count for count in slots if count is not None]
    return min(known) if known and len(known) == len(slots) else None


def slots_of_job(environment: Mapping[str, str] = os.environ) -> int | None:
    """The least ranks for which mpirun takes a node of the job to have room; None where nobody says."""
    return _least(environment[_TASKS]) if environment.get(_TASKS) else cpus_of_job(environment)


def _least(counts: str) -> int | None:
    """1 of Slurm's "2(x3),1"; None of what is no such list."""
    found = [_COUNT.fullmatch(one.strip()) for one in counts.split(",")]
    return min((int(one[1]) for one in found if one), default=None) if all(found) else None


def _repeats(names: list[str]) -> bool:
    return len({*names}) < len(names)


def _sum(counts: list[int | None]) -> int | None:
    """Of lines that say no number, a host's only one says nothing."""
    return None if counts == [None] else sum(count or 1 for count in counts)


def _parts(text: str) -> Iterator[str]:
    """Cut at the commas that are in no brackets."""
    depth, begun = 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if depth not in (0, 1):
            raise _no_list(text, "its brackets do not match")
        if letter == "," and depth == 0:
            yield text[begun:at]
            begun = at + 1
    if depth:
        raise _no_list(text, "its brackets do not match")
    yield text[begun:]


def _nodes(part: str, text: str) -> list[Node]:
    """Those of one part: every name that its brackets make."""
    name, _, slots = part.strip().partition(":")
    pieces = re.split(r"\[([^\]]*)\]", name)
    choices = [[*_numbers(piece, text)] if at % 2 else [piece] for at, piece in enumerate(pieces)]
    count = 1
    for choice in choices:
        count *= len(choice)
    if count > MOST:
        raise _no_list(text, f"it names more than {MOST:,} nodes")
    return [_checked("".join(chosen), slots, text) for chosen in itertools.product(*choices)]


def _numbers(inside: str, text: str) -> Iterator[str]:
    """ "01-03,7": 01, 02, 03, 7."""
    for one in inside.split(","):
        found = _RANGE.fullmatch(one.strip())
        if found is None or len(one) > 2 * len(str(MOST)) + 8:
            raise _no_list(text, f"'{one}' is neither a number nor a range of numbers")
        first, last = found[1], found[2] or found[1]
        if not 0 <= int(last) - int(first) < MOST:
            raise _no_list(text, f"'{one}' goes from {first} to {last}")
        yield from (f"{number:0{len(first)}}" for number in range(int(first), int(last) + 1))


def _checked(name: str, slots: str, text: str) -> Node:
    if not _NAME.fullmatch(name):
        why = f"'{name}' is no name of a host" if name else "it has an empty name"
        raise _no_list(text, why)
    if slots and not (slots.isascii() and slots.isdigit() and 0 < int(slots[:9]) <= 1 << 20):
        raise _no_list(text, f"'{slots}' is no number of slots")
    return Node(name, int(slots) if slots else None)


def _no_list(text: str, why: str) -> WeirError:
    return WeirError(f"'{text[:80]}' is no list of nodes", why, _ADVICE)


def cores_of(nodes: Iterable[Node], here: int) -> int:
    """The ranks that all nodes have room for: the least slots where each says its own, else as many as cores
    `here`."""
    slots = [node.slots for node in nodes]
    known = [count for count in slots if count is not None]
    return min(known) if known and len(known) == len(slots) else here
