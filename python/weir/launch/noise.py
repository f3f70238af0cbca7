"""Lines on standard error that tell nothing of what ended a launch.

They are the launcher's report of an end, which is told in words of ours; warnings of MPI and its transports,
which come at the start of every launch on some machines; and the frames of a stack.
"""

import re
from collections.abc import Iterator, Sequence

_OF_THE_LAUNCHER = re.compile(
    r"exited on signal|EXIT STRING|BAD TERMINATION|PID \d+ RUNNING|EXIT CODE:|KILLED BY SIGNAL|CLEANING UP"
    r"|YOU CAN IGNORE|This typically refers|Please see the FAQ|^Primary job +terminated|^a non-zero exit code"
    r"|^Process name:|^Exit code:|^mpirun detected that one or more|^thus causing the job"
)
_WARNING = re.compile(
    r"\bWARN(ING)?\b|\bwarning:|(UCX|libfabric):? +(INFO|DEBUG|DIAG)\b"
    r"|sent help message help-|^Set MCA parameter .*help|\] Set MCA parameter .*help"
    r"|ORTE_ERROR_LOG: Data unpack would read past end"
)
_STACK = re.compile(
    r"\*\*\* (Process received signal|End of error message) \*\*\*|^=+ backtrace\b"
    r"|\] Signal(: | code: )|\] (Failing at address: |Associated errno: )|Caught signal \d+ \("
    r"|^(\[[^]]+\] )?(\[ ?\d+\]|\d+) +\S.*\[0x[0-9a-f]+\]$"
)
_RULE = re.compile(r"^-{20,}$")
"""Open MPI's launcher writes one before and one behind each of its messages."""


def causes_in(talk: Sequence[str]) -> Iterator[str]:
    """The other lines."""
    for part in _parts([line.strip() for line in talk]):
        yield from (line for line in part if _may_tell(line))


def _may_tell(line: str) -> bool:
    noise = any(pattern.search(line) for pattern in (_OF_THE_LAUNCHER, _WARNING, _STACK))
    return not noise and any(character.isalnum() for character in line)


def _parts(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    """Lines without the messages, from rule to rule, that are warnings as a whole."""
    at = 0
    while at < len(lines):
        end = next((i for i in range(at + 1, len(lines)) if _RULE.match(lines[i])), None)
        if _RULE.match(lines[at]) and end is not None:
            if not any(_WARNING.search(line) for line in lines[at + 1 : end]):
                yield lines[at + 1 : end]
            at = end + 1
        else:
            yield lines[at : at + 1]
            at += 1
