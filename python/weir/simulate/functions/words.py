"""Calls of MPI functions as a person writes them: "Bcast,Allreduce --bytes 8B,64KiB"."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from weir.errors import WeirError
from weir.pattern import Pattern, phase_of
from weir.simulate.functions import Call, mpi_functions
from weir.simulate.functions._beside import beside_of
from weir.simulate.model import Machine
from weir.units import format_bytes, parse_bytes

USUAL_SIZES = (8, 1 << 10, 64 << 10, 1 << 20)
SIZELESS = ("Barrier",)
_EXAMPLE = 'write for example "Bcast,Allreduce --bytes 8B,64KiB,1MiB"'


@dataclass(frozen=True)
class FunctionWords:
    """Each of these functions with each of these sizes (bytes); one that has no message, once."""

    functions: tuple[str, ...]
    sizes: tuple[int, ...]

    @property
    def calls(self) -> Iterator[tuple[str, int]]:
        """In their order."""
        for name in self.functions:
            yield from ((name, 0),) if name in SIZELESS else ((name, size) for size in self.sizes)

    def pattern(self, machine: Machine, ranks: int) -> Pattern:
        """A phase for each call. Raises WeirError for one rank."""
        if ranks < 2:
            raise WeirError("one rank has nobody to talk to", "", "write for example --ranks 2")
        beside = beside_of(machine)
        phases = [
            phase_of(call_name(name, size), mpi_functions.find(name)(Call(ranks, size, beside=beside)))
            for name, size in self.calls
        ]
        return Pattern(weir_pattern=1, name=",".join(self.functions), ranks=ranks, files=[], phases=phases)


def call_name(function: str, size: int) -> str:
    """ "Bcast 64 KiB"."""
    return function if function in SIZELESS else f"{function} {format_bytes(size)}"


@cache
def function_words(text: str) -> FunctionWords | None:
    """Null for text that begins with no function's name. Raises WeirError for what is wrong after it."""
    names = text.split(maxsplit=1)[0].split(",") if text.split() else []
    if not any(_may_be_function(name) and name in mpi_functions.all() for name in names):
        return None
    for name in names:
        mpi_functions.find(name)
    try:
        rest = shlex.split(text)[1:]
    except ValueError as error:
        raise WeirError(f"cannot read '{text}'", str(error).lower(), _EXAMPLE) from error
    return FunctionWords(tuple(dict.fromkeys(names)), _sizes(rest, text))


def _may_be_function(name: str) -> bool:
    """By its letters; to know, all of their modules are imported."""
    return name.isidentifier() and name[0].isupper()


def _sizes(words: list[str], text: str) -> tuple[int, ...]:
    if not words:
        return USUAL_SIZES
    option, equals, value = words[0].partition("=")
    values = [value, *words[1:]] if equals else words[1:]
    if option != "--bytes":
        raise WeirError(f"MPI functions take no '{option}'", "--bytes says their messages' sizes", _EXAMPLE)
    if len(values) != 1:
        raise WeirError(f"--bytes of '{text}' has not one value", "sizes are joined by commas", _EXAMPLE)
    sizes = [parse_bytes(one.strip()) for one in values[0].split(",")]
    if 0 in sizes:
        raise WeirError(
            "a message of 0 B has no pattern", "a pattern's message has a byte at least", _EXAMPLE
        )
    return tuple(dict.fromkeys(sizes))
