"""LogGP's parameters of machines that have known ones."""

import pytest

from messages import SIZES, THREE, Machine, calls, round_trips, sampled
from weir.network.loggp import Call, Model, make_model

EVERYTHING = [*calls(), *round_trips(), *calls([8, 4096, 1 << 20], ["LocalCopy"])]


def model(
    machine: Machine, wanted: list[Call] = EVERYTHING, noise: float = 0.0, held: list[Call] | None = None
) -> Model:
    return make_model(sampled(machine.time, wanted, noise), sampled(machine.time, held or [], noise, seed=2))


def test_the_parameters_of_one_range_are_recovered() -> None:
    machine = Machine(ranges=((0, 1e-6, 1e-10),))
    (only,) = model(machine).ranges
    assert only.at == 8
    for found, wanted in (
        (only.start, 1e-6),
        (only.G, 1e-10),
        (only.L, 0.4e-6 + 8e-10),
        (only.o_s, 0.25e-6),
        (only.o_r, 0.35e-6),
        (only.g, 0.5e-6),
    ):
        assert found.value == pytest.approx(wanted, rel=1e-3)


def test_intervals_hold_the_truth_and_are_narrow() -> None:
    found = model(THREE, noise=0.03)
    assert [one.low for one in found.ranges] == [0, 4096, 65536]
    for one, (_, start, slope) in zip(found.ranges, THREE.ranges, strict=True):
        assert one.G.low is not None and one.G.high is not None
        assert one.G.low <= slope * 1.03 and slope / 1.03 <= one.G.high
        assert one.G.high / one.G.low < 1.2
        assert one.start.value == pytest.approx(start, abs=0.05 * THREE.one_way(one.low))
    (switch,) = found.switches
    assert (switch.low, switch.high) == (2048, 4096)
    assert switch.ratio.low is not None and switch.ratio.low > 1.15


def test_held_out_calls_are_predicted() -> None:
    held = [*calls([24, 1500, 24000, 3 << 20]), *calls([8, 200_000], ["Sendrecv", "Alltoall"])]
    found = model(THREE, noise=0.02, held=held)
    assert len(found.predictions) == len(held)
    assert max(abs(one.error) for one in found.predictions) < 0.1
    assert found.worst < 0.1


@pytest.mark.parametrize("size", [8, 1024, 1 << 20])
def test_exchange_is_both_ways_and_after_a_gap_one_more_message_each_way(size: int) -> None:
    wanted = 1e-6 + size * 1e-10 + 0.5e-6 + (size - 8) * 1e-10
    assert model(Machine(both_ways=1.0)).predict(Call("Exchange", size)) == pytest.approx(wanted, rel=1e-3)


@pytest.mark.parametrize(("size", "edge", "times"), [(4, 8, 0.5), (2 << 20, 1 << 20, 2)])
def test_beyond_the_measured_sizes_a_copy_takes_in_proportion(size: int, edge: int, times: float) -> None:
    machine = Machine(both_ways=1.0)
    wanted = machine.one_way(size) + times * machine.time(Call("LocalCopy", edge))
    found = model(machine, [*calls(), *calls([8, 1 << 20], ["LocalCopy"])])
    assert found.predict(Call("Alltoall", size)) == pytest.approx(wanted, rel=1e-4)


def test_the_gap_of_a_range_grows_from_the_size_that_it_was_measured_at() -> None:
    size, at = 32768, 8192
    wanted = 3e-6 + size * 1e-10 + 0.5e-6 + (size - at) * 1e-10
    found = model(Machine(ranges=THREE.ranges, both_ways=1.0))
    assert found.predict(Call("Exchange", size)) == pytest.approx(wanted, rel=1e-2)


def test_a_range_ends_before_sizes_that_lie_off() -> None:
    def disturbed(call: Call) -> float:
        return THREE.time(call) * (3 if call.bytes == SIZES[-1] else 1)

    found = make_model(sampled(disturbed, calls(), 0.01), {})
    assert [line.left_out for line in found.one_way.lines][-1] == (SIZES[-1],)
    assert found.ranges[-1].high == SIZES[-2]


def test_what_was_not_measured_is_unknown() -> None:
    found = model(THREE, calls(functions=["PingPong"]))
    assert found.predict(Call("PingPing", 8)) is None
    assert found.predict(Call("PingPong", 8)) == pytest.approx(1e-6, rel=0.01)
    assert all(one.at is None and one.L.value is None and one.g.value is None for one in found.ranges)
    both = model(THREE, calls())
    assert both.predict(Call("Exchange", 8)) is None
    assert both.predict(Call("Alltoall", 8)) is None
    assert both.predict(Call("Barrier", 0)) is None


def test_a_send_that_waits_for_the_receiver_leaves_no_latency() -> None:
    (only,) = model(Machine(o_s=1.2e-6)).ranges
    assert only.o_s.value == pytest.approx(1.2e-6)
    assert only.L.value is None


def test_a_delay_shorter_than_the_round_trip_says_nothing_of_the_overhead() -> None:
    short = [*calls(), Call("PRTT", 8), Call("PRTT", 8, 16, 1e-6), Call("PRTT", 8, 1, 0.0, 1e-6)]
    (only,) = model(Machine(), short).ranges
    assert (only.o_s.value, only.o_r.value) == (None, None)


@pytest.mark.parametrize("sizes", [[0], [1 << 20], [0, 8]])
def test_few_sizes_make_one_range(sizes: list[int]) -> None:
    found = model(Machine(), calls(sizes, ["PingPong"]))
    assert len(found.ranges) == 1 and not found.switches
    assert found.predict(Call("PingPong", sizes[0])) == pytest.approx(Machine().one_way(sizes[0]))


def test_too_few_launches_give_no_interval() -> None:
    samples = sampled(THREE.time, calls(SIZES, ["PingPong"]), launches=5)
    found = make_model(samples, {})
    assert all(one.start.low is None and one.G.low is None for one in found.ranges)
    assert all(one.ratio.low is None for one in found.switches)


def test_without_a_ping_pong_there_is_no_model() -> None:
    with pytest.raises(ValueError, match="no size"):
        make_model(sampled(Machine().time, round_trips()), {})
