"""A pattern in which what was written is on the device before it is read."""

from msgspec.structs import replace

from weir.pattern import Close, Open, Pattern, Step, Sync

SETTLE = "settle"


def settled(pattern: Pattern) -> Pattern:
    """The pattern with a phase that only syncs, between its first phase and the rest.

    What an unsynced write leaves behind would be written while the read is timed, and the read be slower for
    it the larger the share that is left: a slope that no cache makes.
    """
    first, *rest = pattern.phases
    steps = [Step(open=Open(file=0, mode="update")), Step(sync=Sync(file=0)), Step(close=Close(file=0))]
    return replace(pattern, phases=[first, replace(first, name=SETTLE, steps=steps), *rest])
