"""Bytes of which no call was seen: none where all was recorded, whoever started, killed or waited for whom;
and none missed."""

import os
from pathlib import Path

import pytest

from .process_trees import BLOCK, DIRECT, SEEN, STATIC, STATIC_ORPHAN, Taste, programs, random_tree, unseen_of

TREES = int(os.environ.get("WEIR_PROCESS_TREES", "6"))
SEED = int(os.environ.get("WEIR_PROCESS_TREES_SEED", "0"))
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root may make a namespace")


@pytest.mark.parametrize(
    "tree",
    [
        "f(b(w64))m200",
        "b(m60w64)m5",
        pytest.param("n(w64)", marks=AS_ROOT),
        pytest.param("n(e(w64)b(x64))", marks=AS_ROOT),
        pytest.param("n(F(b(w64)m60))", marks=AS_ROOT),
        pytest.param("n(p(SF(b(w64)m60)))", marks=AS_ROOT),
        pytest.param("n(F(k(x64)))", marks=AS_ROOT),
        "k(w64)",
        "k(x64)",
        "K(x64)",
        "k(e(w16x64))",
        "b(m5e(w64))",
        "f(f(e(w64)))",
        "f(f(x1)x64)",
        "Sf(b(m30w64))m80a",
        "if(x64)e(x64)",
        "ic(w64)k(c(w4)x64)",
        "t(x64f(x64))",
        "v(w64x64)p(w64)c(w64)o(w64)",
    ],
)
def test_what_is_recorded_is_not_called_unseen(tree: str, tmp_path: Path) -> None:
    assert unseen_of(tree, tmp_path / "tree", programs()) == ()


@pytest.mark.parametrize("seed", range(SEED, SEED + TREES))
def test_random_trees_have_nothing_unseen(seed: int, tmp_path: Path) -> None:
    tree = random_tree(seed, SEEN)
    assert unseen_of(tree, tmp_path / "tree", programs()) == (), tree


@pytest.mark.parametrize("taste", [STATIC, STATIC_ORPHAN, DIRECT], ids=["static", "static orphan", "direct"])
@pytest.mark.parametrize("seed", range(SEED, SEED + TREES // 2))
def test_what_passed_the_recorder_is_told(taste: Taste, seed: int, tmp_path: Path) -> None:
    tree = random_tree(seed, taste)
    found = unseen_of(tree, tmp_path / "tree", programs())
    if taste is DIRECT:
        assert sum(one.written for one in found if one.reason == "kernel") >= 16 * BLOCK, tree
    else:
        assert "static" in {one.reason for one in found}, tree


def test_bytes_of_a_static_child_are_counted(tmp_path: Path) -> None:
    for tree in ("z64", "f(z64)", "f(Z64)m100", "k(z64)w4"):
        found = unseen_of(tree, tmp_path / tree.replace("(", "_"), programs())
        assert sum(one.written for one in found if one.reason == "kernel") == pytest.approx(
            64 * BLOCK, rel=0.05
        ), tree
