"""The kernel of python/weir knows no room, and no benchmark or application by name."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

WEIR = Path(__file__).resolve().parents[3] / "python" / "weir"
KERNEL = (
    *("analyse", "answers", "batch", "core", "export", "figures", "files", "launch", "machine", "measure"),
    *("questions", "report", "results", "site", "store", "study", "tables", "toml"),
)
NAMES = re.compile(
    r"\b(hpcc|hpl|ptrans|dgemm|gups|random[-_]access|beff|flash|flash[-_]io|cloud|aquifer|pflotran|cmb|madbench"
    r"|imb|pingpong)\b",
    re.IGNORECASE,
)
"""Only a room may know them. Words such as "storage" or "network" are everyone's."""


def kernel_files() -> list[Path]:
    return sorted(path for folder in KERNEL for path in (WEIR / folder).rglob("*.py"))


def rooms() -> set[str]:
    return {path.parent.name for path in WEIR.glob("*/__init__.py")} - {*KERNEL, "cli"}


def names_in(path: Path) -> Iterator[str]:
    """In strings and identifiers; what documents or comments is for people."""
    tree = ast.parse(path.read_text())
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        words = ""
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
            words = node.value
        elif isinstance(node, ast.Name):
            words = node.id
        elif isinstance(node, ast.ClassDef | ast.FunctionDef):
            words = node.name
        yield from (name.lower() for name in NAMES.findall(words.replace("_", " ")))


@pytest.mark.parametrize("path", kernel_files(), ids=lambda path: str(path.relative_to(WEIR)))
def test_the_kernel_knows_no_room(path: Path) -> None:
    imported = set(re.findall(r"^ *(?:from|import) weir\.(\w+)", path.read_text(), re.M))
    assert not imported & rooms()
    assert not {*names_in(path)}


def test_there_are_rooms_and_a_name_is_found() -> None:
    assert {"hpcc", "network", "flash"} <= rooms()
    assert {*names_in(WEIR / "hpcc" / "headline.py")} >= {"hpcc", "hpl"}
