"""Numbers of the network that are of messages within one node say so, and do not compare with others."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hpcc_samples import hpcc_rows
from rows import found
from verbs import weir_here
from weir.compare.profile import Profile, as_profile_row, encode
from weir.figures.figure import Spec
from weir.ratios.bars import bars_chart, remark_words
from weir.ratios.collection import Collection, collection_data, collection_of
from weir.ratios.collection_face import problems, rank, screen, tables
from weir.ratios.curves import curve_panels
from weir.ratios.derived import balance_rows, derived_rows
from weir.ratios.kiviat import kiviat_chart
from weir.ratios.questions.ratios import GREATEST, judge_curves, judge_shares, shares_of
from weir.ratios.systems import normalised, system_of
from weir.results.row import Row

OF_MESSAGES = {"random rings", "1 / latency"}


def rows(nodes: int | None, ranks: int = 2) -> list[Row]:
    return [replace(row, nodes=nodes) for row in hpcc_rows(ranks=ranks)]


def values(spec: Spec) -> list[dict[str, Any]]:
    data: list[dict[str, Any]] = spec["data"]["values"]
    return data


def test_beside_machines_of_several_nodes_they_are_hollow_and_say_why() -> None:
    own = [one for one in shares_of(rows(1)) if one.system.name != GREATEST]
    told = {one.quantity.column for one in values_of_remark(own)}
    assert told == OF_MESSAGES and all(one.hollow for one in own if one.quantity.column in told)
    remarks = {one.subject: one.remark for one in found(judge_shares, rows(1)).numbers}
    assert remarks["random rings / HPL", "this machine, 2 ranks"].endswith("of the greatest, within one node")
    assert not values_of_remark(shares_of(rows(2))) and not values_of_remark(shares_of(rows(None)))


def values_of_remark(shares: Sequence[Any]) -> list[Any]:

    return [one for one in shares if "within one node" in remark_words(one)]


def test_where_all_machines_are_of_one_node_the_quantity_says_it() -> None:
    alike = normalised([system_of(name, rows(1)) for name in ("a", "b")])
    columns = {one["column"] for one in values(bars_chart(alike))}
    assert {"random|rings|within|one node", "1 /|latency|within|one node"} <= columns
    assert not any(one.hollow for one in alike if one.quantity.column in OF_MESSAGES)
    kiviat = kiviat_chart(alike)
    assert kiviat
    named = {one["name"] for part in kiviat["layer"][3]["layer"] for one in part["data"]["values"]}
    assert "random rings|within one node" in named and "STREAM copy" in named
    mixed = normalised([system_of("a", rows(1)), system_of("b", rows(4))])
    assert "random|rings" in {one["column"] for one in values(bars_chart(mixed))}
    assert {one.system.name: one.hollow for one in mixed if one.quantity.column == "random rings"} == {
        "a": True,
        "b": False,
    }


def test_curves_over_hpl_say_it_in_their_titles_or_by_hollow_dots() -> None:
    titles = [panel.title for panel in curve_panels({"a": rows(1)})]
    assert titles[:3] == [
        "Random rings within one node, all processes",
        "Random rings within one node for each operation",
        "STREAM copy, all processes",
    ]
    mixed = curve_panels({"a": rows(1), "b": rows(2)})
    assert mixed[0].title == "Random rings, all processes"
    drawn = {one["series"]: (one["hollow"], one["within"]) for one in values(mixed[0].spec)}
    assert drawn == {"a": (True, "within one node"), "b": (False, "")}
    assert not any(one["hollow"] for one in values(mixed[2].spec)), "memory is that of a node anyway"
    remarks = {one.subject[0]: one.remark for one in found(judge_curves, rows(1)).numbers}
    assert remarks == {"random rings / HPL": "within one node", "STREAM copy / HPL": ""}


def separate(nodes: int, ranks: int, *tests: str) -> list[Row]:
    """Tests that are cases of their own."""
    phases = {"hpl": "hpl", "rings": "random-ring"}
    every = {row.phase: row for row in rows(nodes, ranks)}
    return [replace(every[phases[name]], benchmark=name, case=f"{name}-{nodes}") for name in tests]


def test_rings_between_nodes_are_not_divided_by_hpl_of_one() -> None:
    apart = [*separate(1, 2, "hpl"), *separate(2, 2, "rings")]
    together = [*separate(2, 2, "hpl", "rings")]
    assert "random rings / HPL" not in {row.phase for row in balance_rows(apart)}
    assert "random rings / HPL" in {row.phase for row in balance_rows(together)}


def profile(name: str, nodes: int) -> Profile:
    every = [*rows(nodes), *derived_rows(rows(nodes), {})]
    made = {"study": "hpcc", "created_at": "2026-11-20T08:00:00Z", "weir_version": "0.1.0"}
    return Profile(name=name, rows=tuple(map(as_profile_row, every)), **made)


def of(*nodes: int) -> Collection:
    named = [(f"{at}.json", profile(f"m{at}", count)) for at, count in enumerate(nodes)]
    return collection_of("here", named)


def test_a_collection_ranks_them_among_themselves_only() -> None:
    mixed, alike = of(1, 4, 2), of(1, 1)
    (rings,) = (one for one in mixed.columns if one.phase == "random rings / HPL")
    assert rings.name == "random rings"
    assert {mixed.entries[at].machine: rank(cell) for at, cell in rings.cells.items()} == {
        "m0": "○",
        "m1": "1",
        "m2": "1",
    }
    (rings,) = (one for one in alike.columns if one.phase == "random rings / HPL")
    assert rings.name == "random rings within one node"
    assert {rank(cell) for cell in rings.cells.values()} == {"1"}


def test_a_collection_says_which_machines_they_are_of() -> None:
    mixed, alike = of(1, 4), of(1, 1)
    assert [*problems(mixed)] == ["! m0: random rings, 1 / latency within one node, not ranked"]
    assert [one.code for one in screen(mixed).caveats] == ["within-node"]
    assert not [*problems(alike)] and not screen(alike).caveats
    headings = [heading for columns, _ in tables(alike) for heading in columns]
    assert "~random rings within one node (B/kflop)" in headings
    best = [one.subject for one in screen(alike).rows]
    assert ("random rings / HPL within one node",) in best
    cells = {one["machine"]: one["quantities"] for one in collection_data(mixed)["machines"]}
    told = {name: {one["quantity"] for one in some if one["within_one_node"]} for name, some in cells.items()}
    assert told == {"m0": {"random rings / HPL", "1 / latency of random rings"}, "m1": set()}
    assert {one["nodes"] for one in cells["m1"]} == {4}


def test_its_page_says_it_in_the_cells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, nodes in (("one", 1), ("several", 4)):
        (tmp_path / "machines").mkdir(exist_ok=True)
        (tmp_path / "machines" / f"{name}.json").write_bytes(encode(profile(name, nodes)))
    done = weir_here("compare", "--all", "machines", "--page", "all.html")
    assert done.exit_code == 0, done.output
    page = (tmp_path / "all.html").read_text()
    assert page.count("(○, within one node)") == 2
