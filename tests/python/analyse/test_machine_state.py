"""States told apart by the times of probes, on streams like those of a real machine."""

import itertools
import math
import random
from collections.abc import Iterator, Sequence

import pytest

from samples import sample
from weir.analyse.machine_state import Course, Tag, find_states, samples_that_count
from weir.store.records import AnyRecord, HandOff, LaunchRecord, NodePlace, SampleRecord, StateRecord


def probe(value: float | None, launch: int | None = 1, cpus: tuple[int, int] = (0, 1)) -> StateRecord:
    times = None if value is None else HandOff(value, value, 1)
    return StateRecord(handoff_ns=times, cpus=list(cpus), launch=launch)


def tags_of(records: Sequence[AnyRecord]) -> tuple[Tag, ...]:
    course = Course()
    for record in records:
        course.note(record)
    return course.sort().tags


def alternating(probes: Sequence[float | None], launch: int = 1) -> Iterator[AnyRecord]:
    """A launch: a probe, then a sample and a probe by turns."""
    yield LaunchRecord(launch=launch, nodes=[NodePlace(host="n1")])
    for number, value in enumerate(probes):
        if number:
            yield sample(launch=launch)
        yield probe(value, launch)


def stream(source: random.Random, count: int, disturbed: float) -> tuple[list[float], list[bool]]:
    """Times of probes, and whether the machine was in its slow state. The states last for a geometrically
    distributed number of probes, 40 and 8 on average; the fast one spreads from 24 to 75 ns around 42 or
    56 ns, and a disturbed probe takes up to twelve times as long."""
    times, truth = [], []
    slow = source.random() < 8 / 48
    for _ in range(count):
        slow ^= source.random() < (1 / 8 if slow else 1 / 40)
        fast_ns = source.choice((42, 56)) * math.exp(source.gauss(0, 0.2))
        time = source.uniform(230, 260) if slow else min(75.0, max(24.0, fast_ns))
        times.append(time * (source.uniform(1.2, 12) if source.random() < disturbed else 1))
        truth.append(slow)
    return times, truth


@pytest.mark.parametrize("count", [12, 100, 1000])
@pytest.mark.parametrize("disturbed", [0.0, 0.002])
def test_less_than_one_change_in_a_hundred_is_missed_or_invented(count: int, disturbed: float) -> None:
    source = random.Random(19)
    changes = missed = invented = unclear = same = 0
    for _ in range(16_000 // count):
        times, truth = stream(source, count, disturbed)
        tags = tags_of(list(alternating(times)))
        for (before, after), tag in zip(itertools.pairwise(truth), tags, strict=True):
            changes += before != after
            same += before == after
            missed += before != after and tag.state is not None
            invented += before == after and tag.changed
            unclear += before == after and tag.state is None
    assert changes > 400
    assert missed + invented < 0.01 * changes
    assert unclear < 0.01 * same, "what is set aside without need"


def test_a_state_whose_spread_is_filled_is_one() -> None:
    source = random.Random(1)
    times = [source.uniform(24, 75) for _ in range(40)]
    assert [state.probes for state in find_states(times)] == [40]
    (fast, slow) = find_states([*times, 248, 252, 257])
    assert (fast.probes, slow.handoff_ns) == (40, 252)


def test_disturbed_probes_are_no_state() -> None:
    assert [state.probes for state in find_states([40.0] * 9 + [600])] == [9]
    assert [state.high_ns for state in find_states([40.0] * 30 + [130, 320, 800])] == [40]


def test_a_bridge_between_two_states_does_not_join_them() -> None:
    times = [*(40.0 + at / 3 for at in range(60)), 100.0, 150.0, *(200.0 + at for at in range(40))]
    assert [(state.low_ns, state.high_ns) for state in find_states(times)] == [(40, 40 + 59 / 3), (150, 239)]


def test_few_probes_need_not_fill_a_spread() -> None:
    assert len(find_states([24.0, 60.0])) == 1
    assert tags_of(list(alternating([24.0, 60.0])))[0].kept
    assert find_states([]) == []


def test_a_sample_is_of_the_state_before_and_after_it_or_set_aside() -> None:
    tags = tags_of(list(alternating([40, 41, 42, 250, 251, 252, 43, 44])))
    told = [(tag.state and tag.state.handoff_ns, tag.changed, tag.kept) for tag in tags]
    fast, slow = (42, False, True), (251, False, False)
    assert told == [fast, fast, (None, True, False), slow, slow, (None, True, False), fast]
    assert (tags[2].before_ns, tags[2].after_ns) == (42, 250)


def test_a_single_slow_probe_is_no_change_but_what_is_next_to_it_is_set_aside() -> None:
    tags = tags_of(list(alternating([40, 41, 42, 250, 43, 44, 250, 251, 252, 250])))
    assert [tag.kept for tag in tags] == [True, True, False, False, True, False, False, False, False]
    assert [tag.changed for tag in tags].index(True) == 5


def test_a_probe_that_found_no_time_says_nothing() -> None:
    tags = tags_of(list(alternating([40, None, 41, None, None, 42, 0.0, math.inf])))
    assert all(tag.kept for tag in tags)
    assert [tag.state is None for tag in tags] == [False, False, False, True, False, False, True]


def test_most_samples_make_the_main_state() -> None:
    records = [*alternating([40, 41, 42, 43]), *alternating([250, 251, 252, 253, 254], launch=2)]
    assert [tag.kept for tag in tags_of(records)] == [False] * 3 + [True] * 4
    assert len(samples_that_count(records)) == 4


def test_of_equally_many_samples_the_fast_state_is_the_main_one() -> None:
    records = [*alternating([250, 251, 252, 253]), *alternating([40, 41, 42, 43], launch=2)]
    assert [tag.kept for tag in tags_of(records)] == [False] * 3 + [True] * 3


def stored(fast: Sequence[float], slow: Sequence[float]) -> list[AnyRecord]:
    """Samples of storage with such bandwidths, in a fast and in a slow state of the machine."""
    records: list[AnyRecord] = [LaunchRecord(launch=1)]
    for times, values in ((40.0, fast), (250.0, slow)):
        for value in values:
            one = sample(launch=1, bandwidth_bytes_per_s=value, benchmark="storage")
            records += [probe(times), one, probe(times)]
    return records


FEW = [99.0, 100, 101, 102, 103]


def test_storage_counts_in_every_state_where_it_does_not_surely_differ() -> None:
    alike = tags_of(stored([*FEW, 104, 105], [*FEW, 98]))
    assert [tag.kept for tag in alike] == [True] * 13
    assert [tag.main for tag in alike] == [True] * 7 + [False] * 6


def test_storage_that_surely_differs_between_states_counts_in_one() -> None:
    slower = [value / 2 for value in FEW]
    assert all(tag.kept for tag in tags_of(stored([*FEW, 104, 105], slower))), "five have no interval"
    apart = tags_of(stored([*FEW, 104, 105], [*slower, 52]))
    assert [tag.kept for tag in apart] == [True] * 7 + [False] * 6


@pytest.mark.parametrize("alike", [{"phase": "read"}, {"case": "b"}])
def test_storage_that_surely_differs_takes_no_other_phase_or_case_with_it(alike: dict[str, str]) -> None:
    records: list[AnyRecord] = []
    for record in stored([*FEW, 104, 105], [value / 2 for value in [*FEW, 104]]):
        records.append(record)
        if isinstance(record, SampleRecord):
            records.append(sample(launch=1, bandwidth_bytes_per_s=100.0, benchmark="storage", **alike))
    kept = [tag.kept for tag in tags_of(records)]
    assert kept[::2] == [True] * 7 + [False] * 6
    assert kept[1::2] == [True] * 13


def test_times_of_other_cores_are_of_another_place() -> None:
    far = [probe(value, 2, (0, 8)) for value in (250, 251, 252, 253)]
    second = [LaunchRecord(launch=2, nodes=[NodePlace(host="n1")]), *far[:2], sample(launch=2), *far[2:]]
    assert all(tag.kept for tag in tags_of([*alternating([40, 41, 42, 43]), *second]))


def test_times_of_the_same_cores_of_another_node_are_of_another_place() -> None:
    records = list(alternating([40, 41, 42, 43]))
    records += [
        LaunchRecord(launch=2, nodes=[NodePlace(host="n2")]),
        *list(alternating([250, 251, 252], 2))[1:],
    ]
    assert [tag.place.hosts for tag in tags_of(records)] == [("n1",)] * 3 + [("n2",)] * 2
    assert all(tag.kept for tag in tags_of(records))


def test_one_slow_node_of_several_makes_the_state() -> None:
    records = list(alternating([40, 41, 42, 43, 250, 251, 252]))
    for record in records:
        if isinstance(record, StateRecord) and record.handoff_ns:
            record.handoff_ns.min = 40
    assert [tag.kept for tag in tags_of(records)] == [True] * 3 + [False] * 3


def test_a_launch_has_its_own_probes() -> None:
    """The last probe of a launch that died is not the one before the next launch's samples."""
    records = [*alternating([40, 41, 42, 250]), LaunchRecord(launch=2), sample(launch=2), probe(None, 2)]
    assert (tags_of(records)[-1].state, tags_of(records)[-1].kept) == (None, True)


def test_runs_without_probes_keep_all_samples() -> None:
    assert [tag.kept for tag in tags_of([sample(), sample()])] == [True, True]


def test_a_probe_of_other_cores_before_a_sample_tells_nothing_of_it() -> None:
    """As where a rank moved meanwhile: what was probed before is of another place."""
    records = [*alternating([45.0, 46.0, 44.0]), sample(launch=1), probe(45.0, cpus=(2, 3))]
    tag = tags_of(records)[-1]
    assert tag.place.cpus == (2, 3) and tag.before_ns is None and tag.after_ns == 45.0
