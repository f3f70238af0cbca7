"""What an imitation loses in where its requests lie: ranks that share bytes, holes, another order of ranks.

It ends with a comparison of all places, so that an imitation without a loss is the pattern's, operation for
operation."""

from dataclasses import replace
from math import prod

from msgspec import UNSET

from weir.mimic.asked import Asked
from weir.mimic.imitation import Made
from weir.mimic.losses import SAME_BYTES, SCATTERED, Aspect, Loss, holes, share_words
from weir.mimic.nests import Levels, merged
from weir.mimic.overlap import coverage, shared
from weir.units import format_share


def losses_of_places(made: Made, known: list[Loss]) -> list[Loss]:
    """What is lost beside what is known to be lost of its sizes and its order."""
    found = [loss for loss in (_of_sharing(made), _of_turns(made)) if loss]
    ordered = any(loss.aspect is Aspect.ORDER for loss in known)
    if not ordered:
        between = _of_rank_gaps(made)
        found += [between] if between else []
    if prod(loss.left for loss in (*known, *found)) == 1 and made.asked.evenness == 1:
        where = _elsewhere(made)
        found += [Loss(Aspect.ORDER, where, SCATTERED)] if where else []
    return found


def _of_sharing(made: Made) -> Loss | None:
    asked = made.asked
    drawn = made.parameters.offsets in ("random", "random-partition")
    if asked.alone or asked.ranks == 1 or drawn:
        return None
    turns = _turns_in_a_file(made)
    if asked.scattered:
        share = _of_all_turns(asked, turns) if turns and asked.apart else asked.scattered.overlap
    else:
        share = shared(asked.nest, turns)
    if not share:
        return None
    some = "" if share == 1 else f" (those are {format_share(share)})"
    words = f"ranks access the same bytes{some}; the benchmark's ranks each have their own"
    return Loss(Aspect.SHARING, words, 1 - (1 - SAME_BYTES) * share)


def _turns_in_a_file(made: Made) -> Levels:
    """The turns that access one file and do not wait for each other: ranks may meet across these."""
    if made.apart:
        return ()
    return tuple((turn.count, turn.advance) for turn in made.turns if turn.advance and not turn.file_advance)


def _of_all_turns(asked: Asked, turns: Levels) -> float:
    return coverage(replace(one, levels=(*turns, *one.levels)) for one in asked.places).overlap


def _of_rank_gaps(made: Made) -> Loss | None:
    """Ranks farther apart than their parts are long: a file with holes, which the benchmark's has not."""
    asked, made_stride = made.asked, made.nest.rank_stride
    if asked.alone or asked.ranks == 1:
        return None
    if asked.scattered:
        free = asked.scattered.free
        words = f"{share_words(free)} of the file between the ranks' pieces is left free"
        return holes(words, free) if free else None
    stride, own = asked.nest.rank_stride, asked.nest.reach
    if stride is None or made_stride is None or abs(stride) <= max(own, made_stride):
        return None
    share = 1 - max(own, made_stride) / abs(stride)
    return holes(f"{share_words(share)} of the way from rank to rank is left free", share)


def _of_turns(made: Made) -> Loss | None:
    """Turns farther apart than what they access."""
    asked = made.asked
    if asked.scattered:
        return None
    stride = abs(asked.nest.rank_stride or 0)
    whole = asked.nest.reach if asked.alone else max(asked.nest.reach_of_all, asked.ranks * stride)
    aside = asked.nest.reach if made.regions > 1 else whole
    steps = sorted((abs(turn.advance), turn.count) for turn in made.turns if turn.advance and turn.count > 1)
    filled = 1.0
    for step, count in steps:
        needs = aside if step < stride and made.regions > 1 else whole
        if step > needs:
            filled *= needs / step
        if needs is aside:
            aside = max(step, aside) * count
        else:
            whole = max(step, whole) * count
    share = 1 - filled
    return holes(f"{share_words(share)} of the way from turn to turn is left free", share) if share else None


def _elsewhere(made: Made) -> str | None:
    """In which words its requests lie elsewhere than the pattern's; None where they are the same."""
    asked, nest = made.asked, made.nest
    lie, displaced = (
        asked.scattered,
        tuple(level for level in asked.nest.rank_levels if level[1] or not asked.alone),
    )
    turns = [
        (turn.advance, advance)
        for turn, advance in zip(made.turns, made.advances(), strict=True)
        if turn.count > 1 and turn.advance != advance
    ]
    differences = (
        (
            asked.alone and displaced,
            "ranks begin at different places of their files; the benchmark's at the same one",
        ),
        (
            lie and not lie.ascending,
            "ranks lie in another order than that of their numbers; the benchmark's in that order",
        ),
        (
            (asked.nest.rank_stride or 0) < 0,
            "ranks lie in the reverse order of their numbers; the benchmark's in that order",
        ),
        (lie, "ranks lie at uneven distances; the benchmark's one behind the other"),
        (
            displaced and made.parameters.offsets in ("random", "random-partition"),
            "ranks draw from parts of their own; the benchmark's from the same pieces",
        ),
        (displaced != merged(nest.rank_levels), "ranks lie at other distances than the benchmark's"),
        (
            (asked.nest.levels, asked.nest.length) != (merged(nest.levels), nest.length),
            "a rank's pieces lie at other distances than the benchmark's",
        ),
        (_is_reordered(made), "pieces are accessed in another order than the benchmark's"),
        (turns, "turns lie at other distances than the benchmark's, or the other way"),
        (made.start != asked.place, "the first turn begins elsewhere"),
    )
    return next((words for differs, words in differences if differs), None)


def _is_reordered(made: Made) -> bool:
    asked, order = made.asked.access.order, made.parameters.order()
    if made.nest.pieces == 1:
        return False
    kind, seed = (asked.kind, asked.seed) if asked else ("sequential", UNSET)
    return kind != order.kind or (kind != "sequential" and seed != order.seed)
