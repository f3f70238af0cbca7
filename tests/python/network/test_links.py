"""Slow links and nodes: planted ones are found, and no others, under noise and at different distances."""

import itertools

import pytest

from link_samples import Machine, torus, two_switches
from weir.network.links import Distance, LinkVerdict, distance_of, judge, matrix_of, member_names

CLEAN = {
    "4 nodes": Machine(4, noise=0.15),
    "5 % noise": Machine(8, noise=0.05),
    "15 % noise": Machine(16, noise=0.15),
    "heavy tails": Machine(12, tails=0.2),
    "halves": Machine(8, times=two_switches(4, 1.6)),
    "a fifth": Machine(16, times=two_switches(3, 1.6)),
    "torus": Machine(16, times=torus(4, 0.2)),
}


def verdict(machine: Machine, seed: int, **keys: int) -> LinkVerdict:
    """What the latencies say."""
    matrix = matrix_of(machine.rows(seed, **keys)[0].records)
    assert matrix is not None
    return judge(matrix)


@pytest.mark.parametrize("name", CLEAN)
def test_noise_and_distance_raise_no_alarm(name: str) -> None:
    found = [verdict(CLEAN[name], seed) for seed in range(20)]
    assert all(one.is_clean for one in found)


@pytest.mark.parametrize("nodes", [4, 5, 16])
def test_a_pair_twice_as_slow_is_found(nodes: int) -> None:
    for seed in range(10):
        found = verdict(Machine(nodes, noise=0.15, slow={(1, 3): 2.0}), seed)
        assert [slow.members for slow in found.pairs] == [(1, 3)] and not found.nodes
        assert 1.6 < found.pairs[0].times.median < 2.4


def test_three_nodes_are_enough_to_find_a_slow_pair() -> None:
    for seed in range(10):
        assert verdict(Machine(3, noise=0.02), seed).judged == 3
        found = verdict(Machine(3, noise=0.02, slow={(0, 2): 2.0}), seed)
        assert [slow.members for slow in found.pairs] == [(0, 2)] and not found.nodes


@pytest.mark.parametrize("nodes", [4, 5, 16])
def test_a_node_whose_links_are_all_slow_is_found_and_not_its_links(nodes: int) -> None:
    for seed in range(10):
        found = verdict(Machine(nodes, noise=0.15, slow_node=2), seed)
        assert [slow.members for slow in found.nodes] == [(2,)] and not found.pairs


def test_a_slow_node_and_a_slow_pair_beside_it() -> None:
    found = verdict(Machine(12, slow_node=5, slow={(0, 1): 2.0}), 1)
    assert [slow.members for slow in found.nodes] == [(5,)]
    assert [slow.members for slow in found.pairs] == [(0, 1)]


def test_nodes_on_a_switch_of_their_own_are_no_slow_nodes() -> None:
    found = verdict(CLEAN["a fifth"], 3)
    assert found.apart == (0, 1, 2) and not found.nodes


def test_a_single_slow_sample_is_a_disturbance() -> None:
    rows = Machine(6).rows(1)
    rows[0].records[0].details["time_us"][2] *= 20
    matrix = matrix_of(rows[0].records)
    assert matrix is not None and judge(matrix).is_clean


def test_too_little_is_told_nothing_from() -> None:
    few = verdict(Machine(4, slow={(1, 3): 2.0}), 1, samples=5)
    assert few.judged == 0
    assert verdict(Machine(2), 1).judged == 0
    assert matrix_of([]) is None


def place(
    rank: int, core: str | None, cache: str | None, package: str | None, host: str = "n"
) -> dict[str, object]:
    return {"rank": rank, "host": host, "core": core, "cache": cache, "package": package}


def test_the_distance_is_the_nearest_thing_in_common() -> None:
    here = place(0, "0,8", "0-3", "0")
    assert distance_of(here, place(1, "0,8", "0-3", "0")) == Distance.CORE
    assert distance_of(here, place(1, "1,9", "0-3", "0")) == Distance.CACHE
    assert distance_of(here, place(1, "4,12", "4-7", "0")) == Distance.PACKAGE
    assert distance_of(here, place(1, "16", "16-19", "1")) == Distance.NODE
    assert distance_of(here, place(1, None, None, None)) == Distance.NODE
    assert distance_of(here, place(1, "0,8", "0-3", "0", host="m")) == Distance.NODES


def test_far_pairs_are_not_compared_with_near_ones() -> None:
    """Five ranks of one package and one of another, whose pairs are three times as slow."""
    places = [place(rank, f"{rank}", f"{rank // 5}", f"{rank // 5}") for rank in range(6)]
    machine = Machine(6, times=lambda one, other: 3.0 if (one < 5) != (other < 5) else 1.0)
    matrix = matrix_of(machine.rows(1, places=places)[0].records)
    assert matrix is not None
    assert matrix.distances[0, 1] == Distance.CACHE and matrix.distances[0, 5] == Distance.NODE
    assert judge(matrix).is_clean
    slow = Machine(6, times=machine.times, slow={(0, 3): 2.0})
    matrix = matrix_of(slow.rows(1, places=places)[0].records)
    assert matrix is not None
    assert [one.members for one in judge(matrix).pairs] == [(0, 3)]


def test_members_have_names_of_their_own() -> None:
    hosts = [
        place(0, None, None, None, "a.x"),
        place(4, None, None, None, "b.x"),
        place(8, None, None, None, "b.y"),
    ]
    assert member_names(hosts, of_nodes=True) == ["a", "b (rank 4)", "b (rank 8)"]
    assert member_names(hosts, of_nodes=False) == ["rank 0", "rank 4", "rank 8"]


def test_another_placement_of_the_same_nodes_is_the_same_matrix() -> None:
    """A launch that numbers nodes the other way round has its pairs under the same names."""
    machine = Machine(4, slow={(0, 1): 2.0})
    rows = machine.rows(1, samples=8)
    for record in rows[0].records[4:]:
        turned = {key: [3 - member for member in record.details[key]] for key in ("one", "other")}
        record.details.update(turned, places=record.details["places"][::-1])
    matrix = matrix_of(rows[0].records)
    assert matrix is not None and set(matrix.pairs) == set(itertools.combinations(range(4), 2))
    assert [one.members for one in judge(matrix).pairs] == [(0, 1)]


def test_a_pair_is_one_whichever_of_its_nodes_has_the_lower_rank() -> None:
    """Half of the launches number the nodes from the other end, so that (0, 1) are the last two."""
    machine = Machine(4, slow={(0, 1): 2.0})
    rows = machine.rows(1, samples=8)
    for record in rows[0].records[4:]:
        times = record.details["time_us"]  # of (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)
        turned = [times[at] for at in (5, 4, 2, 3, 1, 0)]
        record.details.update(time_us=turned, places=record.details["places"][::-1])
    matrix = matrix_of(rows[0].records)
    assert matrix is not None and set(matrix.pairs) == set(itertools.combinations(range(4), 2))
    assert all(len(sample) == 6 for sample in matrix.samples)
    assert [matrix.estimate_s(pair).count for pair in matrix.pairs] == [8] * 6
    assert [one.members for one in judge(matrix).pairs] == [(0, 1)]


def test_nodes_that_share_a_host_name_are_apart_all_the_same() -> None:
    places = [place(rank, "0", "0", "0", host="localhost") for rank in range(4)]
    rows = Machine(4).rows(1, places=places)
    for record in rows[0].records:
        record.details["between"] = "nodes"
    matrix = matrix_of(rows[0].records)
    assert matrix is not None and {*matrix.distances.values()} == {Distance.NODES}
