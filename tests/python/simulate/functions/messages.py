"""The messages of steps, one by one."""

from collections.abc import Iterator

from weir.pattern import Step, numbers

Message = tuple[int, int, int]
"""From, to, bytes."""


def messages_of(step: Step) -> Iterator[Message]:
    """Those of a step of messages."""
    assert step.send
    pairs = zip(numbers(step.send.from_), numbers(step.send.to), strict=True)
    return ((one, other, step.send.bytes) for one, other in pairs)


def rounds_of(steps: list[Step]) -> list[list[Message]]:
    """Those that are under way together, in each round."""
    found: list[list[Message]] = [[]]
    for step in steps:
        if step.send:
            found[-1] += messages_of(step)
        elif found[-1]:
            found.append([])
    return [one for one in found if one]
