"""Which sizes are measured next."""

from messages import THREE, Machine, calls, sampled
from weir.network.loggp import Call, waiting_from
from weir.network.refine import between, extended, extended_late, late_sizes_to_measure, sizes_to_measure
from weir.study.load import Study, parse_study

STUDY = """
[study]
name = "s"
[fixed]
benchmark = "network"
ranks = 2
[[comparison]]
name = "sizes"
axes = { bytes = ["0B", "8B"] }
"""


def study() -> Study:
    return parse_study(STUDY, "s.toml")


def late(*waiting: tuple[int, bool]) -> dict[Call, list[tuple[int, float]]]:
    busy = 1e-4
    return {
        Call("PRTT", size, 1, 0.0, busy, busy): [(1, busy * (2.1 if waits else 1.1))]
        for size, waits in waiting
    }


def test_sizes_lie_between_the_neighbours_of_a_jump() -> None:
    found = sizes_to_measure(sampled(THREE.time, calls(), 0.01))
    assert found == [2304, 2560, 2816, 3072, 3328, 3584, 3840]
    assert sizes_to_measure(sampled(Machine().time, calls(), 0.01)) == []


def test_sizes_are_multiples_of_eight_and_new() -> None:
    assert between(0, 16) == [8]
    assert between(4032, 4048) == [4040]
    assert len(between(4096, 8192)) == 7


def test_neighbours_that_are_close_are_not_divided() -> None:
    times = sampled(THREE.time, [*calls(), *calls([4088])], 0.01)
    assert sizes_to_measure(times) == []


def test_a_send_that_waits_is_seen_by_twice_the_time() -> None:
    assert waiting_from({call: some[0][1] for call, some in late((8, False), (16, True)).items()}) == (8, 16)
    for all_alike in (late((8, True), (16, True)), late((8, False), (16, False)), {}):
        assert waiting_from({call: some[0][1] for call, some in all_alike.items()}) is None


def test_sizes_around_where_sends_wait_are_measured_with_the_same_delay() -> None:
    sizes, busy_s = late_sizes_to_measure(late((4096, False), (8192, True)))
    assert (sizes, busy_s) == (between(4096, 8192), 1e-4)
    beside = late((4096, False), (8192, True)) | {Call("PingPong", 8): [(1, 1e-6)]}
    assert late_sizes_to_measure(beside) == (sizes, busy_s), "other calls have no receiver that comes late"
    assert late_sizes_to_measure(late((4096, False), (4104, True))) == ([], 0.0)
    assert late_sizes_to_measure({}) == ([], 0.0)


def test_the_study_gains_the_sizes_and_keeps_those_of_earlier_rounds() -> None:
    once = extended(study(), ["PingPong"], [24, 32])
    twice = extended_late(extended(once, ["PingPong"], [28]), [40], 1e-4)
    assert [part.name for part in twice.comparisons] == ["sizes", "switches", "sends-that-wait"]
    _, switches, waits = twice.comparisons
    assert switches.axes == {"function": ["PingPong"], "bytes": ["24B", "32B", "28B"]}
    assert waits.fixed == {"function": "PRTT", "pause": "0.0001s", "late": "0.0001s"}
    assert extended(study(), ["PingPong"], []).comparisons == study().comparisons
