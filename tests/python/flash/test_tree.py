"""What a file says of its tree: sound trees are, and each disagreement is told."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from flash.made_file import Recipe, write_file
from flash.made_tree import MadeTree, Place, children, in_order, of_blocks, refined
from weir.flash.file import open_flash
from weir.flash.tree import Tree


def tree_of(made: MadeTree, real: str = "f8") -> Tree:
    return Tree(
        np.array([place[0] for place in made.blocks]),
        np.array([made.type_of(place) for place in made.blocks]),
        np.array([made.gid(place) for place in made.blocks]),
        np.array([made.box(place) for place in made.blocks]).astype(real).astype(float),
    )


def corner(box: np.ndarray, level: int) -> bool:
    """Four levels deep at one corner of the domain."""
    return level < 5 and not box[:, 0].any()


SOUND = {
    "one block": MadeTree(((1, 0, 0, 0),)),
    "17": of_blocks(17),
    "73": of_blocks(73),
    "five levels": refined(corner),
    "six roots": refined(corner, (3, 1, 2)),
    "periodic": MadeTree(of_blocks(73).blocks, periodic=True),
}


@pytest.mark.parametrize("real", ["f8", "f4"])
@pytest.mark.parametrize("name", SOUND)
def test_a_sound_tree_has_no_faults(name: str, real: str) -> None:
    tree = tree_of(SOUND[name], real)
    assert list(tree.faults()) == []
    assert tree.leaf_volume() == 1


def test_roots_and_domain_are_those_of_the_file() -> None:
    tree = tree_of(SOUND["six roots"])
    assert tree.roots.tolist() == [3, 1, 2]
    assert tree.domain.tolist() == [[0, 3], [0, 1], [0, 2]]
    assert [tuple(place) for place in tree.places] == [place[1:] for place in SOUND["six roots"].blocks]


def fault_of(change: Callable[[Tree], None], made: MadeTree | None = None) -> str:
    tree = tree_of(made or of_blocks(17))
    change(tree)
    return "; ".join(tree.faults())


def setting(name: str, where: tuple[int, ...] | int, value: float) -> Callable[[Tree], None]:
    def change(tree: Tree) -> None:
        getattr(tree, name)[where] = value

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (setting("gid", (1, 1), 99), "block 2 names a neighbour, parent or child that does not exist"),
        (setting("gid", (1, 1), 0), "block 2 names a neighbour"),
        (setting("gid", (1, 6), -32), "block 2 names a neighbour"),
        (setting("gid", (1, 1), -1), "block 2 has another neighbour at +x than the block that lies there"),
        (setting("gid", (1, 1), 12), "block 2 has another neighbour at +x than the block that lies there"),
        (setting("gid", (1, 1), 12), "block 2 has a neighbour at +x that does not have it as neighbour"),
        (setting("gid", (1, 1), -32), "block 2 ends the domain at +x, in the middle of it"),
        (setting("gid", (2, 6), 1), "block 3 is not the child of its parent at that place"),
        (setting("gid", (2, 6), -1), "block 3 has no parent, or one at level 1"),
        (setting("gid", (1, 9), -1), "block 2 has some of eight children, but not all"),
        (setting("gid", (1, 9), 17), "block 2 has a child with another parent"),
        (setting("types", 4, 2), "block 5 is of another type than its children make it"),
        (setting("types", 0, 3), "block 1 is of another type than its children make it"),
        (setting("types", 0, 4), "block 1 has a type outside 1 to 3"),
        (setting("levels", 2, 2), "block 3 does not lie on the grid of its level"),
        (setting("levels", 2, 0), "block 3 has a level outside 1 to 20"),
        (setting("boxes", (2, 1, 0), 0.1), "block 3 does not lie on the grid of its level"),
        (setting("boxes", (2, 1, 1), np.nan), "block 3 has no extent"),
        (setting("types", 2, 2), "the leaves' volumes add up to 0.984375 of the domain's"),
    ],
)
def test_what_disagrees_is_told(change: Callable[[Tree], None], said: str) -> None:
    assert said in fault_of(change)


def test_two_blocks_at_one_place_are_told() -> None:
    def change(tree: Tree) -> None:
        tree.boxes[3] = tree.boxes[2]

    assert "1 block of level 3 at a place of another" in fault_of(change)


def test_leaves_two_levels_apart_are_told() -> None:
    """Below a corner block that touches the middle of the domain, without the balance around it."""
    middle: Place = (3, 1, 1, 1)
    made = in_order({*of_blocks(17).blocks, *children(middle)})
    found = list(tree_of(made).faults())
    assert [fault.split(" ", 2)[2] for fault in found] == [
        f"is a leaf more than one level below what lies at {face} (and 3 more)" for face in ("+x", "+y", "+z")
    ]


def test_more_blocks_of_a_fault_are_counted() -> None:
    def change(tree: Tree) -> None:
        tree.types[9:] = 2

    said = "block 1 is of another type than its children make it (and 8 more)"
    assert said in fault_of(change)


def test_a_file_has_the_tree_that_was_written(tmp_path: Path) -> None:
    with open_flash(write_file(tmp_path, Recipe(SOUND["five levels"], cells=2))) as file:
        assert list(file.tree.faults()) == []
        assert len(file.tree.levels) == len(SOUND["five levels"].blocks)
        np.testing.assert_array_equal(file.tree.gid, tree_of(SOUND["five levels"]).gid)
