"""Whose count includes which process's bytes, by what processes and `weir trace` say of one another."""

from typing import Any

from weir.trace.lives import lives_of
from weir.trace.names import parse_names
from weir.trace.process import Process

MIB = 2**20
HEAD = {"host": "here", "process": 1000}


def process(number: int, parent: int, began: int, ended: int = 0, **facts: Any) -> Process:
    """One that wrote nothing by itself, unless `seen_written` says so; `ended` 0: it was killed."""
    known = {"weir_trace": 1, "host": "here", "in_proc": number, "namespace": 1, "parents_namespace": 1}
    known |= {"process": number, "parent": parent, "real_ns": began, "seen_read": 0, "seen_written": 0}
    if ended:
        counts = {"kernel_read": 0, "kernel_written": facts.get("seen_written", 0)}
        known |= {"end_real_ns": ended, "children_left": len(facts.get("left", [])), **counts}
    return Process(known | facts, parse_names(b""), [], ended > 0)


def unexplained(processes: list[Process], **head: Any) -> dict[object, int]:
    """Written bytes of which no call was seen, of the processes whose counts are known and have some."""
    lives, _ = lives_of(processes, HEAD | head)
    known = {life.number: life.unexplained()[1] for life in lives if life.final is not None}
    return {number: written for number, written in known.items() if written}


def killed(number: int, written: int) -> dict[str, Any]:
    return {"killed": [(number, (0, written))]}


def orphans(**written: int) -> dict[str, Any]:
    """As `weir trace` tells them; `p1002=5`: process 1002 wrote 5 bytes."""
    pids = [int(name[1:]) for name in written]
    zeros = [0 for _ in pids]
    names = {"orphans": pids, "orphans_programs": ["a" for _ in pids]}
    return {**names, "orphans_read": zeros, "orphans_written": list(written.values())}


def test_a_killed_child_is_in_the_count_of_the_parent_that_saw_it_killed() -> None:
    adopter = process(1000, 1, 1, 9, subreaper=1, kernel_written=3 * MIB)
    parent = process(1001, 1000, 2, 8, kernel_written=MIB, **killed(1002, MIB))
    child = process(1002, 1001, 3, seen_written=MIB)
    assert unexplained([adopter, parent, child]) == {1000: 2 * MIB}


def test_an_adopter_names_all_that_it_has_waited_for() -> None:
    """The parent does not say when its child was killed."""
    parent = process(1001, 1000, 2, 8, kernel_written=MIB)
    child = process(1002, 1001, 3, seen_written=MIB)

    def found(*waited: int, **facts: Any) -> dict[object, int]:
        known = {"subreaper": 1, "waited": list(waited), "kernel_written": 3 * MIB}
        return unexplained([process(1000, 1, 1, 9, **known, **facts), parent, child])

    assert found(1001) == {1000: 2 * MIB}
    assert found(1001, 1002) == {1000: MIB, 1001: MIB}
    assert found(1001, -1) == {1000: MIB}, "it has waited for some that it cannot name"


def test_an_adopter_whose_last_program_is_not_recorded_names_not_all() -> None:
    """Its killed child's child is in the count of one of them."""
    first = process(1000, 1, 1, 9, kernel_written=3 * MIB, **killed(1001, 3 * MIB))
    known = {"subreaper": 1, "becomes": "/a", "waited": [1002], **killed(1002, 0)}
    child = process(1003, 1002, 4, 5, seen_written=MIB)
    others = [first, process(1002, 1001, 3), child]
    assert unexplained([*others, process(1001, 1000, 2, **known)]) == {1001: 2 * MIB}
    known.pop("becomes")
    assert unexplained([*others, process(1001, 1000, 2, **known)]) == {1001: 3 * MIB}


def test_an_orphan_of_weir_trace_is_in_no_other_count() -> None:
    later_adopter = process(1000, 1, 1, 9, subreaper=1, kernel_written=3 * MIB)
    parent = process(1001, 1000, 2, 4, left=[1002])
    child = process(1002, 1001, 3, seen_written=MIB)
    told = orphans(p1002=MIB)
    assert unexplained([later_adopter, parent, child], **told) == {1000: 3 * MIB}
    parent = process(1001, 1000, 2)
    first = process(1000, 1, 1, 9, kernel_written=3 * MIB, **killed(1001, 3 * MIB))
    assert unexplained([first, parent, child], **told) == {1001: 3 * MIB}


def test_a_number_of_another_proc_is_no_orphan() -> None:
    first = process(1000, 1, 1, 9, kernel_written=3 * MIB)
    child = process(1001, 1000, 2, 8, kernel_written=MIB, seen_written=MIB)
    other = process(1002, 1001, 3, 4, namespace=2, seen_written=MIB)
    assert unexplained([first, child, other], **orphans(p1002=3 * MIB)) == {1000: 2 * MIB}


def test_what_still_ran_is_in_no_count_of_what_had_ended() -> None:
    first = process(1000, 1, 1, 9, kernel_written=3 * MIB, **killed(1001, 2 * MIB))
    parent = process(1001, 1000, 2)
    child = process(1002, 1001, 3, seen_written=2 * MIB)
    running = {"running": [1002], "running_programs": ["a"]}
    ended = process(1002, 1001, 3, 7, seen_written=2 * MIB)
    assert unexplained([first, parent, ended], **running) == {1000: MIB}, "one of both may have waited for it"
    assert unexplained([first, parent, child]) == {1000: MIB}
    assert unexplained([first, parent, child], **running) == {1000: MIB, 1001: 2 * MIB}


def test_what_an_adopter_has_left_was_not_waited_for_by_a_killed_parent() -> None:
    adopter = process(
        1000, 1, 1, 9, subreaper=1, left=[1002], kernel_written=3 * MIB, **killed(1001, 3 * MIB)
    )
    parent = process(1001, 1000, 2)
    child = process(1002, 1001, 3, 4, seen_written=MIB)
    assert unexplained([adopter, parent, child]) == {1001: 3 * MIB}


def test_what_had_gone_before_a_namespace_ended_is_explained_once() -> None:
    """The first process's own count has it; the count of whoever waits for that one has it once, too."""
    outside = process(1000, 1, 1, 9, kernel_written=4 * MIB)
    inside = {"namespace": 2}
    first = process(1, 1000, 2, 8, **inside, in_proc=1001, kernel_written=2 * MIB, waited=[2, 4])
    parent = process(2, 1, 3, 7, **inside, parents_namespace=2, in_proc=1002, **killed(3, MIB))
    gone = process(3, 2, 4, **inside, parents_namespace=2, in_proc=1003, seen_written=MIB)
    orphan = process(4, 3, 5, 6, **inside, parents_namespace=2, in_proc=1004, seen_written=MIB)
    assert unexplained([outside, first, parent, gone, orphan]) == {1: MIB, 1000: 2 * MIB}
    first.facts["waited"] = [2]
    assert unexplained([outside, first, parent, gone, orphan]) == {1: 2 * MIB, 1000: 2 * MIB}


def test_the_last_count_of_a_namespace_has_what_ended_with_it() -> None:
    """Its own report, before that, has not."""
    outside = process(1000, 1, 1, 4, left=[1001])
    known = {"namespace": 2, "in_proc": 1001, "left": [2], "kernel_written": 0}
    first = process(1, 1000, 2, 8, **known)
    child = process(2, 1, 3, namespace=2, parents_namespace=2, in_proc=1002, seen_written=MIB)
    assert unexplained([outside, first, child], **orphans(p1001=MIB)) == {}
    assert unexplained([outside, first, child], **orphans(p1001=2 * MIB)) == {1: MIB}


def test_a_namespace_within_one_that_ends_may_end_with_it() -> None:
    """The first process of the outer one names it by a number that is not known."""
    outside = process(1000, 1, 1, 9, kernel_written=MIB)
    outer = {"namespace": 2, "parents_namespace": 2}
    first = process(1, 1000, 2, 8, namespace=2, in_proc=1001, left=[3])
    maker = process(2, 1, 3, 5, **outer, in_proc=1002, left=[3])
    inner = process(1, 2, 4, 7, namespace=3, parents_namespace=2, in_proc=1003, seen_written=MIB)
    assert unexplained([outside, first, maker, inner]) == {}


def test_an_adopter_has_waited_for_a_namespace_that_its_maker_left() -> None:
    """The maker ended later, and names it by its number there."""
    adopter = process(1000, 1, 1, 9, subreaper=1, waited=[1001, 1002], kernel_written=MIB)
    maker = process(1001, 1000, 2, 5, left=[1002])
    first = process(1, 1001, 3, 4, namespace=2, in_proc=1002, seen_written=MIB)
    assert unexplained([adopter, maker, first]) == {}


def test_what_ended_with_a_namespace_is_explained_once() -> None:
    outside = process(1000, 1, 1, 9, kernel_written=4 * MIB)
    inside = {"namespace": 2}
    first = process(1, 1000, 2, 8, **inside, in_proc=1001, left=[2])
    parent = process(2, 1, 3, **inside, parents_namespace=2, in_proc=1002, seen_written=MIB)
    child = process(3, 2, 4, **inside, parents_namespace=2, in_proc=1003, seen_written=MIB)
    assert unexplained([outside, first, parent, child]) == {1000: 2 * MIB}
