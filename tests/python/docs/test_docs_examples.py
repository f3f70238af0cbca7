"""Documents that show commands are run as they stand.

A console block under `<!-- run -->` must succeed, under `<!-- run: exit 0 or 5 -->` it must end with one of
these codes; a block under `<!-- file: NAME -->` is written to that file first. All blocks of a document share
a folder.
"""

import os
import re
import shutil
from pathlib import Path

import pytest
from documents import ROOT, blocks, documents, links, name_of

from open_mpi import AS_ROOT_TOO
from running import ended

WITH_EXAMPLES = [path for path in documents() if any(block.mark.startswith("run") for block in blocks(path))]
RUN_MARK = r"run(?:: exit (\d+(?: or \d+)*))?"
TOOLS = [ROOT / "build/release/bin", ROOT / ".venv/bin"]


def _environment() -> dict[str, str]:
    path = os.pathsep.join([*map(str, TOOLS), os.environ["PATH"]])
    return {**os.environ, **AS_ROOT_TOO, "PATH": path, "LC_ALL": "C.UTF-8"}


@pytest.mark.parametrize("document", WITH_EXAMPLES, ids=name_of)
def test_commands_in_documents_do_as_said(document: Path, tmp_path: Path) -> None:
    environment = _environment()
    for tool in ("weir", "weir-core", "mpirun"):
        if shutil.which(tool, path=environment["PATH"]) is None:
            pytest.skip(f"{tool} is not there: the examples cannot be run")
    for block in blocks(document):
        if named := re.fullmatch(r"file: (\S+)", block.mark):
            (tmp_path / named[1]).write_text(block.text, encoding="utf-8")
        if wanted := re.fullmatch(RUN_MARK, block.mark):
            done = ended("bash", "-e", "-c", block.commands, cwd=tmp_path, env=environment)
            place = f"{name_of(document)}:{block.line}"
            assert str(done.returncode) in (wanted[1] or "0").split(" or "), (
                f"{place}\n{done.stdout}\n{done.stderr}"
            )


@pytest.mark.parametrize("document", documents(), ids=name_of)
def test_marks_are_known(document: Path) -> None:
    for block in blocks(document):
        if block.mark.startswith(("run", "file")):
            assert re.fullmatch(rf"{RUN_MARK}|file: \S+", block.mark), block.mark
        if block.mark.startswith("run"):
            assert block.commands.strip(), f"no command in the block at line {block.line}"


@pytest.mark.parametrize("document", documents(), ids=name_of)
def test_links_lead_somewhere(document: Path) -> None:
    missing = [target for target in links(document) if not (document.parent / target).exists()]
    assert missing == []
