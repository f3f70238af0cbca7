"""A command that is neither run nor marked is found, whatever it stands in."""

from pathlib import Path

import pytest
from documents import Block, blocks
from marks import faults, marked, script

from running import ended


def read(tmp_path: Path, text: str) -> list[Block]:
    document = tmp_path / "document.md"
    document.write_text(text)
    return list(blocks(document))


def faults_of(tmp_path: Path, text: str) -> list[str]:
    return [fault for block in read(tmp_path, text) for fault in faults(block, marked(block))]


BLOCK = "```console\n$ weir list\n$ true  # why\n```\n"
TABLE = "| command | what |\n|---|---|\n| `weir list` | a list |\n| `a word` | none |\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BLOCK, "neither run nor marked"),
        (TABLE, "neither run nor marked"),
        ("```\n$ weir list\n```\n", "neither run nor marked"),
        (f"<!-- run -->\n\n{BLOCK}", "neither run nor marked"),
        ("<!-- run -->\n```bash\n$ true\n```\n", "no console block"),
        ("<!-- run -->\n```console\nonly output\n```\n", "has no command"),
        (f"<!-- run: exit two -->\n{BLOCK}", "no such mark"),
        (f"<!-- not run: short -->\n{BLOCK}", "no such mark"),
        (f"<!-- run -->\n<!-- not run: it takes an hour -->\n{BLOCK}", "run and as not run"),
        (f"<!-- run -->\n<!-- not run: `false`: it takes an hour -->\n{BLOCK}", "no such command: false"),
    ],
)
def test_what_is_wrong_with_marks(text: str, said: str, tmp_path: Path) -> None:
    assert any(said in fault for fault in faults_of(tmp_path, f"# Title\n\n{text}\nMore.\n"))


@pytest.mark.parametrize(
    "text",
    [
        f"<!-- run -->\n{BLOCK}",
        f"<!-- run: exit 0 or 5 -->\n{TABLE}",
        f"<!-- not run: it takes an hour -->\n{BLOCK}",
        f"<!-- not run: `weir list`: it takes an hour -->\n<!-- run -->\n{BLOCK}",
        f"<!--\nprepare: x\n-->\n<!-- prepare:\nmkdir a\nmkdir b\n-->\n<!-- run -->\n{BLOCK}",
        '```json\n{"a": 1}\n```\n',
    ],
)
def test_marks_that_are_right(text: str, tmp_path: Path) -> None:
    assert faults_of(tmp_path, f"# Title\n\n{text}\nMore.\n") == []


def test_commands_are_typed_as_they_stand(tmp_path: Path) -> None:
    text = "```console\n$ weir list \\\n    --json\nits output\n$ true\n```\n"
    (block,) = read(tmp_path, f"<!-- run -->\n{text}")
    assert block.commands == ["weir list \\\n--json", "true"]
    (table,) = read(tmp_path, TABLE)
    assert table.commands == ["weir list"]


@pytest.mark.parametrize(("allowed", "fails"), [("", True), (": exit 0 or 5", False), (": exit 5", True)])
def test_each_command_must_end_as_said(allowed: str, fails: bool, tmp_path: Path) -> None:
    (block,) = read(tmp_path, f"<!-- run{allowed} -->\n```console\n$ (exit 5)\n$ touch made\n```\n")
    done = ended("bash", "-c", script(block, marked(block)), cwd=tmp_path)
    assert (done.returncode != 0) is fails
    assert (tmp_path / "made").exists() is (allowed != "")


def test_what_is_left_out_is_not_run(tmp_path: Path) -> None:
    (block,) = read(
        tmp_path, "<!-- not run: `false`: it would fail -->\n<!-- run -->\n```console\n$ false  # no\n```\n"
    )
    assert ended("bash", "-c", script(block, marked(block))).returncode == 0
