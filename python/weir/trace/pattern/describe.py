"""Describes a recognised pattern in words."""

from collections.abc import Iterator
from itertools import islice

import numpy as np

from weir.distinct import distinct
from weir.trace.pattern.nests import Integers, rank_sets
from weir.trace.pattern.operations.files import PatternFile
from weir.trace.pattern.operations.layouts import Nest
from weir.trace.pattern.operations.operation import Kind, Mode
from weir.trace.pattern.operations.time_in_calls import TimeInCalls
from weir.trace.pattern.operations.views import EMPTY
from weir.trace.pattern.recognise import Phase, Recognised
from weir.trace.pattern.steps.lists import is_nest
from weir.trace.pattern.steps.step import Listed, One, Repeated, Step
from weir.units import count_words, format_bytes, format_seconds

MOST_STEPS, MOST_PHASES, MOST_FILES = 12, 8, 8
"""So many of a phase's steps, of the phases and of the files are listed one by one."""

_OPENS = {Mode.CREATE: "creates", Mode.READ: "opens for reading", Mode.UPDATE: "opens for writing"}
_VERBS = {Kind.READ: "reads", Kind.WRITE: "writes"}


def steps_of(steps: list[Step]) -> int:
    """How many there are, those in repetitions and repetitions themselves included."""
    return sum(1 + (steps_of(step.body) if isinstance(step, Repeated) else 0) for step in steps)


def describe(found: Recognised) -> Iterator[str]:
    """Lines for people."""
    steps = count_words(sum(steps_of(phase.steps) for phase in found.phases), "step")
    phases = count_words(len(found.phases), "phase")
    what = f"{count_words(found.operations, 'operation')} of {count_words(found.ranks, 'rank')}"
    how = "exactly these operations" if found.exact else "these operations, though not exactly (see below),"
    yield f"{what} became {steps} in {phases}, which expand to {how} in their order."
    yield f"They are calls of {', '.join(name.upper() for name in found.interfaces)}."
    for phase in found.phases[:MOST_PHASES]:
        yield ""
        yield from _phase(phase, found)
    if len(found.phases) > MOST_PHASES:
        yield ""
        yield f"and {count_words(len(found.phases) - MOST_PHASES, 'more phase')}"
    yield ""
    yield from _files(found.files)
    yield _in_calls(found.in_calls)
    yield from _computing(found)
    yield from _what_to_know(found)


def _phase(phase: Phase, found: Recognised) -> Iterator[str]:
    yield f"{phase.name}{' (collective)' if phase.collective else ''}:"
    yield from islice(_steps(phase.steps, found, "  "), MOST_STEPS)
    if (more := steps_of(phase.steps) - MOST_STEPS) > 0:
        yield f"  and {count_words(more, 'more step')}"


def _steps(steps: list[Step], found: Recognised, indent: str) -> Iterator[str]:
    for step in steps:
        if isinstance(step, Repeated):
            yield f"{indent}{count_words(step.count, 'time')}:"
            yield from _steps(step.body, found, indent + "  ")
        elif isinstance(step, Listed):
            yield indent + _listed(step, found)
        else:
            yield indent + _one(step, found)


def _listed(step: Listed, found: Recognised) -> str:
    pieces = np.concatenate(step.pieces)
    how = f"{_requests(len(pieces), pieces[:, 1])} in no regular order"
    who = _who(step.ranks, found.ranks, _VERBS[Kind(step.kind)])
    collectively = ", collectively" if step.collective else ""
    return f"{who} {how} {_in_file(found.files[step.file])} (a list){collectively}"


def _one(one: One, found: Recognised) -> str:
    what = one.what
    if what.kind == Kind.COMPUTE:
        time = format_seconds(found.computing[what.length].median_s)
        return f"{_who(one.ranks, found.ranks, 'computes')} {time}"
    if what.kind == Kind.BARRIER:
        return "barrier of all ranks"
    if what.kind == Kind.ORDER:
        return f"{_who(one.ranks, found.ranks, 'waits')} for the others: what is read was written before"
    name = _in_file(found.files[what.file], any(files for _, files in what.advances))
    if what.list_io:
        return f"{_who(one.ranks, found.ranks, _VERBS[Kind(what.kind)])} {_pieces(one, found)} {name}"
    if what.moves:
        text = f"{_who(one.ranks, found.ranks, _VERBS[Kind(what.kind)])} {_nest(one)} {name}"
        return text + (
            "" if len(one.ranks) == 1 or is_nest(one) else ", each from a place of its own (a list)"
        )
    verbs = {
        Kind.OPEN: _OPENS[Mode(what.mode)],
        Kind.CLOSE: "closes",
        Kind.SYNC: "syncs",
        Kind.PREALLOCATE: f"reserves {format_bytes(what.length)} of",
    }
    return f"{_who(one.ranks, found.ranks, verbs[Kind(what.kind)])} {name.removeprefix('in ')}"


def _pieces(one: One, found: Recognised) -> str:
    """One request of many pieces."""
    assert one.shapes is not None
    shapes = [found.shapes[number] for number in distinct(one.shapes).tolist() if number != EMPTY]
    request = "1 collective request" if one.what.collective else "1 request"
    if len(shapes) == 1 and isinstance(shape := shapes[0], Nest):
        size = format_bytes(shape.length)
        if shape.blocks == 1:
            return f"{request} of {size}"
        return f"{request} of {shape.blocks:,} pieces of {size}, {_strides(shape.levels, shape.length)},"
    pieces = sorted({shape.blocks for shape in shapes}) or [0]
    least, most = (f"{number:,}" for number in (pieces[0], pieces[-1]))
    return f"{request} of {least if least == most else f'{least} to {most}'} pieces each (a list)"


def _nest(one: One) -> str:
    levels = one.what.levels
    text = _requests(one.what.pieces, np.array([one.what.length]), "collective " * one.what.collective)
    if not levels:
        return f"{text} at {format_bytes(int(one.starts[0]))}" if len(one.ranks) == 1 else text
    return f"{text}, {_strides(levels, one.what.length)},"


def _strides(levels: tuple[tuple[int, int], ...], length: int) -> str:
    parts = []
    for i, (count, stride) in enumerate(reversed(levels)):
        rows = "" if len(levels) == 1 else f"{count:,} " + ("" if i == 0 else "times that ")
        if i == 0 and stride == length:
            parts.append(f"{rows}one after the other")
        elif stride == 0:
            parts.append(f"{rows}at the same place")
        else:
            parts.append(f"{rows}{format_bytes(abs(stride))} apart{' backwards' if stride < 0 else ''}")
    return ", ".join(parts)


def _requests(count: int, lengths: Integers, which: str = "") -> str:
    least, most = int(lengths.min()), int(lengths.max())
    size = format_bytes(least) if least == most else f"{format_bytes(least)} to {format_bytes(most)}"
    return f"{count_words(count, which + 'request')} of {size}"


def _who(ranks: Integers, of: int, verb: str) -> str:
    if len(ranks) == 1:
        return f"rank {ranks[0]} {verb}"
    if len(ranks) == of:
        return f"each rank {verb}"
    if len(rank_sets(ranks)) > 1:
        return f"each of {len(ranks):,} ranks from {ranks[0]} to {ranks[-1]} {verb}"
    step = int(ranks[1] - ranks[0])
    every = "" if step == 1 else f" in steps of {step}"
    return f"each of ranks {ranks[0]} to {ranks[-1]}{every} {verb}"


def _in_file(file: PatternFile, others: bool = False) -> str:
    name = f"in its {file.name}" if file.per_rank else f"in {file.name}"
    return f"{name} and the files after it" if others else name


def _files(files: list[PatternFile]) -> Iterator[str]:
    yield f"{count_words(len(files), 'file')} of the pattern:"
    for file in files[:MOST_FILES]:
        first, last = file.originals[0][1], file.originals[-1][1]
        if file.per_rank:
            ranks = count_words(len(file.originals), "rank")
            yield f"  {file.name}, one for each of {ranks}: {first} to {last}"
        else:
            yield f"  {file.name}: {first}"
    if len(files) > MOST_FILES:
        yield f"  and {len(files) - MOST_FILES:,} more"


def _in_calls(times: TimeInCalls) -> str:
    waiting = f", {format_seconds(times.waiting_s)} of it waiting for ranks that compute"
    more = waiting if times.waiting_s > 0 else ""
    return f"Time in these calls, mean over the ranks: {format_seconds(times.all_s)}{more}."


def _computing(found: Recognised) -> Iterator[str]:
    for one in found.computing[:MOST_FILES]:
        spread = f", in the trace {format_seconds(one.least_s)} to {format_seconds(one.most_s)}"
        spread = spread if one.count > 1 else ""
        times = count_words(one.count, "time")
        yield f"Computing between calls: {times} {format_seconds(one.median_s)} (median{spread})."
    if len(found.computing) > MOST_FILES:
        more = count_words(len(found.computing) - MOST_FILES, "more class", "more classes")
        yield f"Computing between calls: {more} of times."
    if found.pauses_left_out_s > 0:
        yield (
            f"Not in the pattern: {format_seconds(found.pauses_left_out_s)} of other pauses between calls, "
            "of the rank with most."
        )


def _what_to_know(found: Recognised) -> Iterator[str]:
    if found.needed:
        names = ", ".join(found.files[number].name for number in found.needed[:MOST_FILES])
        yield f"Must exist before the program runs: {names}{', …' if len(found.needed) > MOST_FILES else ''}."
    for reason in found.reasons:
        yield f"Not exact: {reason}."
    if found.inexact.counts:
        yield "What reached the file system is in the pattern with --interface posix."
    if found.made_independent:
        yield (
            f"{count_words(found.made_independent, 'collective request')} became independent: on files of "
            "one rank each."
        )
    for reason, count in found.left_out.counts.items():
        what = "Added" if reason.endswith(" (added)") else "Left out"
        yield f"{what}: {reason.removesuffix(' (added)')}: {count:,}."
