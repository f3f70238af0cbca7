"""What a trace lacks, by the reason of it."""

from dataclasses import replace

import pytest

from made_trace import lane, trace
from weir.answers.words import action_of, caveat_words
from weir.explain.rule import lacks
from weir.explain.summarise import head_of
from weir.explain.summary import Head
from weir.trace.unseen import Unseen

HEAD = head_of(trace(lane(0, [("pwrite", 1, 0, 10, 0, 8, 8, 0)])))


@pytest.mark.parametrize(
    ("unseen", "code", "action"),
    [
        (Unseen("app", "kernel", written=2**20), "kernel", "strace"),
        (Unseen("app", "kernel", read=2**20, others=("go",)), "kernel", "others-started"),
        (Unseen("app", "static"), "static", "link-dynamically"),
        (Unseen("app", "rights", times=3), "rights", "record-copy"),
        (Unseen("app", "left"), "left", ""),
        (Unseen("app", "spawned", times=2), "spawned", "before-launcher"),
        (Unseen("app", "io_uring"), "ring", "other-method"),
        (Unseen("app", "libaio"), "ring", "other-method"),
        (Unseen("app", "misplaced"), "misplaced", "flush-appends"),
        (Unseen("app", "silent"), "silent", "other-disk"),
        (Unseen("app", "running"), "running", "look-again"),
        (Unseen("app", "it called chroot"), "restricted", ""),
    ],
)
def test_each_reason_has_a_caveat_that_names_the_program(unseen: Unseen, code: str, action: str) -> None:
    (one,) = lacks(replace(HEAD, unseen=(unseen,)))
    assert (one.code, one.count, one.action) == (code, unseen.times, action)
    assert "app" in caveat_words(one) and bool(action_of(one)) == bool(action)
    assert ("3 times" in caveat_words(one)) == (unseen.times == 3)


def test_bytes_that_passed_the_recorder_are_evidence() -> None:
    (one,) = lacks(replace(HEAD, unseen=(Unseen("app", "kernel", read=4096, written=2**20, others=("go",)),)))
    assert {each.label: each.value for each in one.evidence} == {"read": 4096, "written": 2**20}
    assert one.words["others"] == "go" and "1 MiB written and 4 KiB read" in caveat_words(one)


def test_of_very_many_programs_the_first_are_named() -> None:
    many = tuple(Unseen(f"app{at}", "static") for at in range(9))
    found = lacks(replace(HEAD, unseen=many))
    assert [one.code for one in found] == ["static"] * 6 + ["more-programs"] and found[-1].count == 3


def test_of_what_still_runs_all_are_one_caveat() -> None:
    many = tuple(Unseen(f"app{at}", "running") for at in range(9))
    (one,) = lacks(replace(HEAD, unseen=many))
    assert (one.code, one.count) == ("running", 9) and one.words["programs"].endswith("app5 and 3 more")


def test_a_whole_trace_lacks_nothing() -> None:
    assert lacks(HEAD) == []
    assert lacks(Head("log", "Darshan log", "app", 1, (), 1, 0.0, 1.0, 0, 0, ())) == []
