"""A matrix as a chart: readable for few and for many members."""

import itertools
import json

from weir.figures.heat_map import MOST_LABELS, Cell, heat_map


def matrix(members: int, **keys: bool) -> dict[str, object]:
    names = [f"node{number:03d}" for number in range(members)]
    cells = [Cell(pair, 1.0 + sum(pair) % 7, **keys) for pair in itertools.combinations(range(members), 2)]
    return heat_map(names, cells, "latency (µs)", great_is_slow=True)


def test_many_members_have_few_labels_and_one_cell_a_pair() -> None:
    spec = matrix(200)
    text = json.dumps(spec)
    assert len(spec["data"]["values"]) == 200 * 199 // 2  # type: ignore[index]
    assert len(spec["encoding"]["x"]["axis"]["values"]) <= MOST_LABELS  # type: ignore[index]
    assert len(text) < 1_500_000


def test_few_members_are_mirrored_and_all_named() -> None:
    spec = matrix(4)
    assert len(spec["data"]["values"]) == 12  # type: ignore[index]
    assert len(spec["encoding"]["y"]["axis"]["values"]) == 4  # type: ignore[index]
    assert len(spec["layer"]) == 1  # type: ignore[arg-type]
    assert len(matrix(4, framed=True)["layer"]) == 2  # type: ignore[arg-type]


def test_what_is_slow_is_bright_whichever_way_numbers_go() -> None:
    cells = [Cell((0, 1), 1.0), Cell((0, 2), 50.0)]
    by_latency = heat_map(["a", "b", "c"], cells, "", great_is_slow=True)
    by_bandwidth = heat_map(["a", "b", "c"], cells, "", great_is_slow=False)
    scales = [one["layer"][0]["encoding"]["color"]["scale"] for one in (by_latency, by_bandwidth)]
    assert [scale.get("reverse", False) for scale in scales] == [False, True]
    assert scales[0]["type"] == "log" and scales[0]["domain"] == [1.0, 50.0]


def test_one_value_has_a_scale_around_it() -> None:
    spec = heat_map(["a", "b"], [Cell((0, 1), 2.0)], "", great_is_slow=True)
    low, high = spec["layer"][0]["encoding"]["color"]["scale"]["domain"]
    assert low < 2.0 < high
