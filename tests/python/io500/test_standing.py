"""Where a run stands: which of its rows are like a phase, and of how many submissions it is faster."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from rows import MIB, row
from samples import RATE
from synthetic_run import World, write_run
from verbs import weir_here
from weir.answers.answer import Certainty, Count
from weir.compare.profile import Profile, read_profile
from weir.io500.background import files_of
from weir.io500.likeness import Like, likes
from weir.io500.screen import standing_screen
from weir.io500.standing import Own, Place, standings
from weir.io500.submissions import find_submissions
from weir.results.row import Row

from .made_submissions import RATES, ior, submit, summary

HARD = {"block": 47008, "transfer": 47008, "segments": 100, "layout": "shared"}


def easy(phase: str = "write", mib_per_s: float = 1024.0, **changes: object) -> Row:
    return row(phase, mib_per_s, **{"layout": "file-per-process", **changes})


def files(phase: str, layout: str, size: int, **changes: object) -> Row:
    options = {"layout": layout, "file_bytes": size, "interface": "posix", **changes}
    return replace(row(phase, 1, moves=None, sync=None), benchmark="metadata", metric=RATE, options=options)


@pytest.mark.parametrize(
    ("one", "phase"),
    [
        (easy(), "ior-easy-write"),
        (easy("read", transfer=16 * MIB), "ior-easy-read"),
        (row("write", 5, **HARD), "ior-hard-write"),
        (row("read", 5, **HARD), "ior-hard-read"),
        (files("create", "private-directory", 0), "mdtest-easy-write"),
        (files("stat", "private-directory", 0), "mdtest-easy-stat"),
        (files("unlink", "private-directory", 0), "mdtest-easy-delete"),
        (files("create", "shared-directory", 3901), "mdtest-hard-write"),
        (files("stat", "shared-directory", 3901), "mdtest-hard-stat"),
        (files("read", "shared-directory", 3901), "mdtest-hard-read"),
        (files("unlink", "shared-directory", 3901), "mdtest-hard-delete"),
    ],
)
def test_each_phase_has_its_row_and_no_other(one: Row, phase: str) -> None:
    found = {name for name, like in likes([one], 1).items() if isinstance(like, Like)}
    assert found == {phase}


@pytest.mark.parametrize(
    ("one", "nodes", "why"),
    [
        (easy(sync="never"), 1, "unsynced"),
        (easy("read", suspect=None), 1, "cached"),
        (easy("read", suspect=True), 1, "cached"),
        (easy("read"), 2, "same-node"),
        (easy("read", reorder="random"), 2, "same-node"),
        (easy(rate=MIB), 1, "no-row"),
        (easy(backend="null"), 1, "no-row"),
        (easy(offsets="random"), 1, "no-row"),
        (easy(timed="transfer"), 1, "no-row"),
        (row("write", 5), 1, "no-row"),
        (row("write", 5, **{**HARD, "segments": 1}), 1, "no-row"),
        (files("create", "private-directory", 1), 1, "no-row"),
        (files("create", "private-directory", 0, interface="mpiio"), 1, "no-row"),
        (files("stat", "private-directory", 0, reorder="none"), 2, "same-node"),
    ],
)
def test_what_is_not_alike_says_why(one: Row, nodes: int, why: str) -> None:
    found = likes([one], nodes)
    assert why in found.values() and not [like for like in found.values() if isinstance(like, Like)]


def test_reads_of_another_node_count_and_of_several_rows_the_best() -> None:
    found = likes([easy("read", 10.0, reorder="node"), easy("read", 20.0, reorder="node")], 4)
    like = found["ior-easy-read"]
    assert isinstance(like, Like) and like.row.median == 20.0 * MIB and like.apart == ("short",)
    assert found["find"] == "none"


def background(folder: Path, *scales: float, nodes: int | None = 10) -> list[Profile]:
    """Profiles of submissions that are so many times as fast as that of RATES."""
    for number, scale in enumerate(scales):
        clients = ior(nodes=nodes, tasks=20, per_node=2) if nodes else ""
        rates = {name: scale * value for name, value in RATES.items()}
        submit(folder / f"submission-{number}", summary(rates), clients=clients)
    found = []
    for name, content in files_of(find_submissions(folder).submissions):
        (folder / name).write_bytes(content)
        found.append(read_profile(folder / name))
    return found


def test_a_place_counts_those_that_are_slower(tmp_path: Path) -> None:
    others = background(tmp_path, *(0.1 * number for number in range(1, 11)))  # easy write 1.25 … 12.5 GiB/s
    own = Own("mine", (easy(mib_per_s=5.1 * 1024, spread=0.3),), 1)
    found = standings(own, (others, 0))
    (one,) = found.phases
    assert one.place == Place(below=4, of=10, low=2, high=5)  # 5.1 [3.57, 6.63]
    assert one.per_node == Place(10, 10, 10, 10)  # 0.125 … 1.25 GiB/s a node
    assert one.nodes == (10, 10, 10)
    assert [why for _, why in found.lacking].count("none") == 1


def test_without_known_nodes_there_is_no_place_per_node(tmp_path: Path) -> None:
    others = background(tmp_path, 1.0, nodes=None)
    (one,) = standings(Own("mine", (easy(),), 1), (others, 0)).phases
    assert one.per_node is None and one.nodes is None


def test_a_short_phase_is_never_sure(tmp_path: Path) -> None:
    others = background(tmp_path, 1.0, 2.0)
    screen = standing_screen(standings(Own("mine", (easy(mib_per_s=15 * 1024),), 1), (others, 3)))
    (answer,) = screen.rows
    assert answer.value == Count(1, 2) and answer.certainty is Certainty.WITHIN
    assert {one.code: one.count for one in screen.caveats} == {
        "short-phases": 1,
        "no-like": 11,
        "others-once": 2,
        "no-background": 3,
    }


def test_the_verb_takes_runs_and_profiles(tmp_path: Path) -> None:
    background(folder := tmp_path / "all", 0.01, 0.1, 1.0)
    (folder / "broken.profile.json").write_text("{")
    page = tmp_path / "page.html"
    done = weir_here(
        "compare", write_run(tmp_path / "mine", World()), "--background", folder, "--json", "--page", page
    )
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["submissions"], told["unread"], told["nodes"]) == (3, 1, 1)
    places = {one["phase"]: one["faster_than"]["below"] for one in told["phases"]}
    assert places == {"ior-easy-write": 2, "ior-easy-read": 1}  # 1.5 and 1.1 GiB/s
    assert "<svg" in page.read_text()
    theirs = next(path for path in folder.glob("*.json") if path.name != "broken.profile.json")
    own = json.loads(weir_here("compare", theirs, "--background", folder, "--json").stdout)
    assert len(own["phases"]) == 12 and own["not_comparable"] == []
    assert not any(one["differs_in"] for one in own["phases"])


def test_what_is_no_background_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    mine = write_run(tmp_path / "mine", World())
    assert weir_here("compare", mine, "--background", tmp_path / "empty").exit_code == 2
    assert weir_here("compare", mine, "--background", tmp_path / "absent").exit_code == 2
    background(folder := tmp_path / "all", 1.0)
    assert weir_here("compare", mine, mine, "--background", folder).exit_code == 2
