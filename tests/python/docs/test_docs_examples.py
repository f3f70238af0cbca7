"""Every command in a document is run as it stands, or a mark says why it is not.

Marks are HTML comments right above a console block, or above a table whose rows begin with commands:
the table in CONTRIBUTING.md has them all. All blocks of a document share a checkout.
"""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from checkout import environment, make_checkout
from documents import ROOT, blocks, documents, links, name_of
from marks import counted, faults, marked, script

from running import ended

LACKING = 77
CHANGES = ROOT / "CHANGELOG.md"
DOCUMENTS = [path for path in documents() if path != CHANGES]
WITH_COMMANDS = [path for path in DOCUMENTS if any(marked(block).run for block in blocks(path))]


@pytest.mark.parametrize("document", WITH_COMMANDS, ids=name_of)
def test_commands_in_documents_do_as_said(document: Path, tmp_path: Path) -> None:
    known = environment(tmp_path / "home")
    for tool in ("weir", "weir-core", "mpirun"):
        if shutil.which(tool, path=known["PATH"]) is None:
            pytest.skip(f"{tool} is not there: the examples cannot be run")
    (tmp_path / "checkout").mkdir()
    typed = "\n".join(command for block in blocks(document) for command in block.commands)
    checkout = make_checkout(tmp_path / "checkout", typed)
    for block in blocks(document):
        found, place = marked(block), f"{name_of(document)}:{block.line}"
        if found.file:
            (checkout / found.file).write_text(block.text, encoding="utf-8")
        for commands in ("set -e\n" + found.prepare, script(block, found)) if found.run else ():
            done = ended("bash", "-c", commands, cwd=checkout, env=known)
            if done.returncode == LACKING:
                pytest.skip(f"{place}: what it takes is not here: {done.stderr[-300:]}")
            assert done.returncode == 0, f"{place}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_every_command_is_run_or_says_why_not(document: Path) -> None:
    wrong = [
        f"{name_of(document)}:{block.line}: {fault}"
        for block in blocks(document)
        for fault in faults(block, marked(block))
    ]
    assert wrong == []


def test_what_is_not_run_names_targets_and_scripts_that_there_are() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for path in DOCUMENTS:
        for block in blocks(path):
            for command in block.commands if not marked(block).run else marked(block).left_out:
                program, *words = command.split()
                assert program != "make" or words[0] in targets, command
                assert not program.startswith("scripts/") or (ROOT / program).is_file(), command


def test_how_many_commands_are_run(record_property: Callable[[str, object], None]) -> None:
    marks = [(block, marked(block)) for path in DOCUMENTS for block in blocks(path)]
    run, not_run = counted(marks)
    record_property(
        "said", f"commands in documents: {run} are run as printed, {not_run} are marked as not run"
    )
    assert run > not_run


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_links_lead_somewhere(document: Path) -> None:
    missing = [target for target in links(document) if not (document.parent / target).exists()]
    assert missing == []
