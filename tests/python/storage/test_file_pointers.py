"""File pointers side by side: each comparison against explicit offsets, at the smallest transfer."""

from dataclasses import replace
from typing import Any

from rows import row
from weir.answers.answer import Choice, Ratio
from weir.results.row import Row
from weir.storage.questions.file_pointers import file_pointers, judge_file_pointers

KIB = 1024
WAYS: dict[str, dict[str, Any]] = {
    "P_Expl": {"pointer": "explicit"},
    "P_Shared": {"pointer": "shared"},
    "P_Priv": {"pointer": "individual", "layout": "file-per-process"},
    "C_Shared": {"pointer": "shared", "collective": True},
}


def rows(speeds: dict[str, float], *, phase: str = "write", ranks: int = 2) -> list[Row]:
    """Of two transfer sizes, of which the larger one is as fast for all."""
    return [
        row(phase, speed, ranks=ranks, comparisons=(name,), backend="mpiio", **size, **WAYS[name])
        for name, one in speeds.items()
        for size, speed in (
            ({"transfer": KIB, "block": KIB, "segments": 1000}, one),
            ({"transfer": KIB * KIB, "block": KIB * KIB, "segments": 40}, 500),
        )
    ]


def test_each_is_compared_with_explicit_offsets_where_a_call_counts_most() -> None:
    found = judge_file_pointers(rows({"P_Expl": 100, "P_Shared": 50, "P_Priv": 100, "C_Shared": 20}), {})
    assert found is not None
    (said,) = found.answers
    assert isinstance(said.value, Choice)
    assert (said.value.best, said.value.other, said.value.ratio.times) == ("P_Expl", "C_Shared", 5.0)
    told = {one.subject: one.value.times for one in found.numbers if isinstance(one.value, Ratio)}
    assert told == {
        ("P_Shared", "P_Expl", "write"): 0.5,
        ("P_Priv", "P_Expl", "write"): 1.0,
        ("C_Shared", "P_Expl", "write"): 0.2,
    }, "of the smallest transfer alone"


def test_other_phases_and_rank_counts_are_questions_of_their_own() -> None:
    some = [
        *rows({"P_Expl": 100, "P_Shared": 50}),
        *rows({"P_Expl": 10, "P_Shared": 20}, ranks=4),
        *rows({"P_Expl": 1000, "P_Shared": 1000}, phase="read"),
    ]
    found = judge_file_pointers(some, {})
    assert found is not None
    told = {one.subject[2]: one.value.times for one in found.numbers if isinstance(one.value, Ratio)}
    assert told == {"write, 2 ranks": 0.5, "write, 4 ranks": 2.0, "read, 2 ranks": 1.0}
    assert [one.subject for one in found.answers] == [("write",), ("read",)]


def test_without_explicit_offsets_there_is_nothing_to_compare_with() -> None:
    assert judge_file_pointers(rows({"P_Shared": 50, "C_Shared": 20}), {}) is None
    assert judge_file_pointers([row("write", 100, transfer=0, pointer="explicit")], {}) is None


def test_there_is_a_panel_for_each_phase_and_rank_count_and_a_curve_for_each_comparison() -> None:
    some = [*rows({"P_Expl": 100, "P_Shared": 50}), *rows({"P_Expl": 10, "P_Shared": 20}, ranks=4)]
    panels = file_pointers([*some, *rows({"P_Expl": 9}, phase="read")], {})
    assert [panel.title for panel in panels] == [
        "Write, synced at close, 2 ranks",
        "Write, synced at close, 4 ranks",
        "Read, cache dropped, 2 ranks",
    ]
    values = panels[0].spec["data"]["values"]
    assert {value["series"] for value in values} == {"P_Expl", "P_Shared"}
    assert {value["x"] for value in values} == {KIB, KIB * KIB}


def test_a_case_of_two_comparisons_bears_the_later_name() -> None:
    single = row(
        "write",
        10,
        ranks=1,
        comparisons=("S_Expl", "P_Expl"),
        backend="mpiio",
        pointer="explicit",
        transfer=KIB,
    )
    (panel,) = file_pointers([single], {})
    assert panel.spec["data"]["values"][0]["series"] == "P_Expl"


def test_ranks_that_wait_for_cores_do_not_count() -> None:
    crowded = [
        replace(one, warnings=("oversubscribed",)) for one in rows({"P_Expl": 100, "P_Shared": 5}, ranks=4)
    ]
    found = judge_file_pointers([*rows({"P_Expl": 100, "P_Shared": 50}), *crowded], {})
    assert found is not None
    (number,) = found.numbers
    assert number.subject == ("P_Shared", "P_Expl", "write")
    assert isinstance(number.value, Ratio) and number.value.times == 0.5


def test_collective_requests_have_a_panel_of_their_own() -> None:
    panels = file_pointers(rows({"P_Expl": 100, "P_Shared": 50, "C_Shared": 20}), {})
    assert [panel.title for panel in panels] == [
        "Write, synced at close, 2 ranks",
        "Write, synced at close, 2 ranks, collective",
    ]
    assert {value["series"] for value in panels[1].spec["data"]["values"]} == {"C_Shared"}
