"""What is said of nodes that were measured one by one, by rows with known speeds."""

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from rows import row
from weir.analyse.metric import Metric
from weir.answers.answer import Answer, Certainty, Count, Deviation, Ratio
from weir.answers.words import title_of, value_of, verdict_words
from weir.figures.figure import Finding
from weir.nodes.questions.nodes import judge_nodes, nodes
from weir.nodes.standing import families
from weir.results.row import Row
from weir.store.records import SampleRecord

SECONDS = Metric("elapsed_s", "s", "time", greater_is_better=False)
LAUNCHES = 3
EACH = 3


def of_node(
    node: str, phase: str, speed: float, draw: random.Random, drift: Sequence[float] = (0, 0, 0)
) -> Row:
    """Nine samples of three launches, each in a round of its own, in MiB/s with 1 % of noise."""
    records, samples = [], []
    for launch in range(LAUNCHES):
        for _ in range(EACH):
            records.append(SampleRecord(case=f"{node}-{phase}", phase=phase, round=launch + 1, launch=launch))
            samples.append(speed * math.exp(draw.gauss(0, 0.01) + drift[launch]))
    made = row(phase, speed, node=node, comparisons=("disk",), n=len(samples), case=f"{node}-{phase}")
    return replace(made, samples=tuple(samples), records=tuple(records))


def machine(speeds: Mapping[str, float], phase: str = "write", seed: int = 1) -> list[Row]:
    draw = random.Random(seed)
    return [of_node(node, phase, speed, draw) for node, speed in speeds.items()]


def alike(count: int, speed: float = 100) -> dict[str, float]:
    return {f"n{at:02}": speed for at in range(1, count + 1)}


def judged(rows: list[Row]) -> Finding:
    found = judge_nodes(rows, {})
    assert found
    return found


def titles(found: Finding) -> list[str]:
    return [title_of(one) for one in found.answers]


def how_many(found: Finding) -> Answer:
    return next(one for one in found.answers if one.title == "Ill nodes")


def test_a_slow_node_is_named_with_what_and_by_how_much() -> None:
    found = judged(machine(alike(8) | {"n07": 77}) + machine(alike(8), "read"))
    first = found.answers[0]
    assert title_of(first) == "Node n07 is slower: disk write"
    assert isinstance(first.value, Deviation) and first.certainty is Certainty.SURE
    low, high = first.value.low, first.value.high
    assert low is not None and high is not None and low < -0.23 < high < -0.2
    assert how_many(found).value == Count(1, 8) and how_many(found).certainty is Certainty.SURE
    number = found.numbers[0]
    assert (number.subject[:2], number.remark) == (("disk write", "n07"), "slower")
    assert sum(one.remark != "" for one in found.numbers) == 1


def test_of_times_more_is_slower() -> None:
    rows = [replace(one, metric=SECONDS, moves=None) for one in machine(alike(8) | {"n02": 130})]
    assert titles(judged(rows))[0] == "Node n02 is slower: disk"


def test_a_faster_node_is_told_and_not_ill() -> None:
    found = judged(machine(alike(8) | {"n02": 130}))
    assert how_many(found).value == Count(0, 8)
    assert [(one.subject[1], one.remark) for one in found.numbers if one.remark] == [("n02", "faster")]


def test_a_node_that_is_slower_in_several_is_one_answer_by_the_worst() -> None:
    slow = alike(8) | {"n03": 70}
    found = judged(machine(slow) + machine(alike(8) | {"n03": 50}, "read"))
    assert titles(found)[0] == "Node n03 is slower: disk read and 1 more"
    assert how_many(found).value == Count(1, 8)


def test_healthy_nodes_are_said_to_be_so_and_what_would_be_seen() -> None:
    found = judged(machine(alike(8)))
    assert how_many(found).value == Count(0, 8) and how_many(found).certainty is Certainty.SURE
    seen = found.answers[-1]
    assert isinstance(seen.value, Deviation) and seen.value.bound and seen.value.share == pytest.approx(-0.1)


def test_what_all_nodes_went_through_in_a_round_is_taken_off() -> None:
    draw = random.Random(4)
    drift = (0, -0.4, 0.3)
    rows = [of_node(name, "write", 85 if name == "n05" else 100, draw, drift) for name in alike(8)]
    first = judged(rows).answers[0]
    assert title_of(first) == "Node n05 is slower: disk"
    assert isinstance(first.value, Deviation) and first.value.share == pytest.approx(-0.15, abs=0.02)


def test_two_halves_are_two_kinds() -> None:
    speeds = alike(4) | {f"m{at}": 60.0 for at in range(4)}
    found = judged(machine(speeds))
    assert how_many(found).value == Count(0, 8)
    kinds = next(one for one in found.answers if isinstance(one.value, Ratio))
    assert isinstance(kinds.value, Ratio) and kinds.value.times == pytest.approx(100 / 60, rel=0.03)
    assert {one.subject[1]: one.remark for one in found.numbers}["m0"] == "of the slower kind"


@pytest.mark.parametrize("count", [1, 2])
def test_of_one_or_two_nodes_nothing_can_be_told(count: int) -> None:
    found = judged(machine(alike(count) | {"n01": 50}))
    answer = how_many(found)
    assert (answer.value, answer.certainty, answer.action) == (None, Certainty.OPEN, "more-nodes")
    assert {*found.decided} == {Certainty.OPEN}
    assert [(one.value, one.remark) for one in found.numbers] == [(None, "")] * count


def test_of_three_with_too_few_samples_more_of_them_are_needed() -> None:
    rows = [replace(one, n=5) for one in machine(alike(3))]
    assert how_many(judged(rows)).action == "more-samples"
    lost = [replace(one, median=None, verdict="failed") for one in rows[:1]]
    assert how_many(judged([*lost, *rows[1:]])).action == "more-nodes"


def test_among_three_half_the_speed_is_named_and_an_eighth_less_may_be() -> None:
    assert how_many(judged(machine(alike(3) | {"n02": 50}))).value == Count(1, 3)
    found = judged(machine({"n01": 100, "n02": 87, "n03": 106}))
    assert how_many(found).value == Count(0, 3) and how_many(found).certainty is Certainty.WITHIN
    doubtful = next(one for one in found.answers if one.title.startswith("Node n02 may be slower"))
    assert doubtful.certainty is Certainty.OPEN


def test_a_node_that_could_not_be_measured_is_a_row_with_its_reason() -> None:
    lost = row(
        "none",
        None,
        node="n09",
        comparisons=("disk",),
        verdict_why="the launch did not start (exit code 255; its last lines: no such host | bye)",
    )
    few = replace(machine({"n08": 20})[0], n=5)
    found = judged([*machine(alike(6)), lost, few])
    answer = next(one for one in found.answers if one.title.startswith("Not measured"))
    assert answer.subject == ("n09 and n08",) and answer.value == Count(2, 8)
    assert how_many(found).value == Count(0, 8) and how_many(found).certainty is Certainty.WITHIN
    assert [one.remark for one in found.numbers if one.subject[1] == "n09"] == ["no such host"]


def test_what_varies_much_leaves_the_answer_within_a_range_and_names_its_cases() -> None:
    draw = random.Random(5)
    rows = machine({name: speed * math.exp(draw.gauss(0, 0.3)) for name, speed in alike(8).items()})
    answer = how_many(judged(rows))
    assert answer.certainty is Certainty.WITHIN and answer.open_cases == {one.case for one in rows}


def test_rows_of_no_single_node_are_not_judged() -> None:
    assert judge_nodes([row("write", 100)], {}) is None


def test_the_picture_has_a_dot_for_each_node_and_names_the_ill_one() -> None:
    panel = nodes(machine(alike(8) | {"n07": 77}) + machine(alike(8), "read"), {})[0]
    values = panel.spec["data"]["values"]
    assert len(values) == 16
    assert [one["label"] for one in values if "label" in one] == ["n07"]
    assert {one["what"] for one in values} == {"disk write", "disk read"}


def test_words_of_a_deviation() -> None:
    value = Deviation(-0.2304, -0.2512, -0.094, 9)
    minus = "\N{MINUS SIGN}"
    assert verdict_words(value) == f"{minus}23 % [{minus}25, {minus}9.4]"
    assert value_of(Answer("", (), value)) == f"{minus}23 % [{minus}25, {minus}9.4] (n = 9)"


def test_another_size_is_another_measurement() -> None:
    rows = [
        replace(one, options={**one.options, "transfer": size})
        for size in (1, 2)
        for one in machine(alike(3))
    ]
    assert len({family.name for family in families(rows)}) == 2
