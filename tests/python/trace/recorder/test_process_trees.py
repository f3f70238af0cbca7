"""Bytes of which no call was seen: none where all was recorded, whoever started, killed or waited for whom;
and none missed."""

import os
from pathlib import Path

import pytest

from .process_trees import (
    BLOCK,
    DIRECT,
    SEEN,
    STATIC,
    STATIC_ORPHAN,
    Taste,
    may_end_with_namespace,
    outcome_of,
    programs,
    random_tree,
)

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
        pytest.param("SN(x64)m50a", marks=AS_ROOT),
        pytest.param("Sf(N(m50x64))a", marks=AS_ROOT),
        pytest.param("n(SN(x64)m50a)", marks=AS_ROOT),
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
    assert outcome_of(tree, tmp_path / "tree", programs()).unseen == ()


@pytest.mark.parametrize("seed", range(SEED, SEED + TREES))
def test_random_trees_have_nothing_unseen(seed: int, tmp_path: Path) -> None:
    tree = random_tree(seed, SEEN)
    assert outcome_of(tree, tmp_path / "tree", programs()).unseen == (), tree


@pytest.mark.parametrize("taste", [STATIC, STATIC_ORPHAN, DIRECT], ids=["static", "static orphan", "direct"])
@pytest.mark.parametrize("seed", range(SEED, SEED + TREES // 2))
def test_what_passed_the_recorder_is_told(taste: Taste, seed: int, tmp_path: Path) -> None:
    tree = random_tree(seed, taste)
    outcome = outcome_of(tree, tmp_path / "tree", programs())
    if taste is not DIRECT and outcome.passed is not None:
        assert "static" in {one.reason for one in outcome.unseen}, tree
    if outcome.ran_on:
        pytest.skip("processes ran on, whose counts are not known")
    if may_end_with_namespace(tree):
        pytest.skip("the kernel drops counts when it ends a namespace")
    # Of a killed child without files, a block may have passed the recorder unsaid.
    assert outcome.told == pytest.approx(outcome.passed, abs=1.5 * BLOCK), tree


@pytest.mark.parametrize(
    ("tree", "blocks"),
    [
        ("z64", 64),
        ("f(z64)", 64),
        ("f(Z64)m100", 64),
        ("k(z64)w4", 64),
        ("f(Sd32f(k(x10)))", 32),
        ("f(d25e(K(w12))S)", 25),
        ("Sk(k(f(x16)))d16", 16),
        ("k(d20b(x16)m1)m1", 20),
        ("Sk(d20b(x16))a", 20),
        ("Sk(d20b(x16))", 20),
        pytest.param("n(k(d20b(x16))a)", 20, marks=AS_ROOT),
        pytest.param("f(n(d32K(x8)m50)S)", 32, marks=AS_ROOT),
        pytest.param("n(k(f(x16))z20k(x4))", 20, marks=AS_ROOT),
    ],
)
def test_bytes_that_pass_the_recorder_are_counted(tree: str, blocks: int, tmp_path: Path) -> None:
    """Each byte is in the count of one process, however others around it end."""
    assert outcome_of(tree, tmp_path / "tree", programs()).told == pytest.approx(blocks * BLOCK, rel=0.05)
