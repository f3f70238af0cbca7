"""Cause and remedy are two sentences in every message: "problem (why). Advice"."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PYTHON = sorted((ROOT / "python").rglob("*.py"))
CPP = sorted(path for path in (ROOT / "src").rglob("*.?pp"))
JOINED = re.compile(
    r"\(\{[^{}]*\}\) (?:\{|[A-Z][a-z])|[a-z\"'}]\) [A-Z][a-z]+ (?:a|an|the|it|its|for|one|of)\b"
)
"""What ends a reason, followed by a remedy without a full stop."""


def attribute_docs(tree: ast.AST) -> set[int]:
    """Strings that stand alone: they describe the attribute above."""
    return {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def test_no_python_message_runs_its_cause_into_its_remedy() -> None:
    found = []
    for path in PYTHON:
        tree = ast.parse(path.read_text())
        alone = attribute_docs(tree)
        for node in ast.walk(tree):
            if id(node) in alone:
                continue
            text = _text(node)
            if text and JOINED.search(text):
                found.append(f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}: {text}")
    assert found == []


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def test_no_cpp_message_runs_its_cause_into_its_remedy() -> None:
    found = []
    for path in CPP:
        code = re.sub(r"//.*", "", path.read_text())
        # Adjacent literals are one text.
        for text in re.findall(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*', code):
            said = re.sub(r'"\s*"', "", text)
            if JOINED.search(said):
                found.append(f"{path.relative_to(ROOT)}: {said}")
    assert found == []


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("cannot read '{}' ({}) Check the path", True),
        ("the page has no figures ({}) {}", True),
        ("the tests took long (it is short) Give a longer one", True),
        ("cannot read '{}' ({}). Check the path", False),
        ("{} ({} ranks)", False),
    ],
)
def test_what_is_searched_for(text: str, joined: bool) -> None:
    assert (JOINED.search(text) is not None) is joined


def errors() -> Iterator[tuple[str, ast.Call]]:
    for path in PYTHON:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "WeirError":
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def test_problem_and_reason_have_no_full_stop_of_their_own() -> None:
    """It is put between them and the remedy."""
    found = []
    for where, call in errors():
        parts = [_text(part) for part in call.args[:2]]
        found += [f"{where}: {text}" for text in parts if text.endswith(".") and not text.endswith("…")]
    assert found == []
