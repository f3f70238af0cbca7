"""Reference pages that follow from the programs are those that the programs give today."""

import sys

import pytest
from documents import ROOT, blocks

from running import ended
from verbs import weir_process


def test_generated_pages_are_up_to_date() -> None:
    made = ended(sys.executable, ROOT / "scripts/make_reference.py", "--check")
    assert made.returncode == 0, f"run scripts/make_reference.py; out of date: {made.stdout}{made.stderr}"


STUDIES = [block for block in blocks(ROOT / "docs/reference/studies.md") if block.language == "toml"]


@pytest.mark.parametrize("block", STUDIES, ids=lambda block: f"line-{block.line}")
def test_studies_in_the_reference_are_valid(block, tmp_path) -> None:
    if not (ROOT / "build/release/bin/weir-core").exists():
        pytest.skip("weir-core is not built: it alone knows a study's options")
    study = tmp_path / "study.toml"
    study.write_text(block.text, encoding="utf-8")
    planned = weir_process("plan", str(study), "--dir", str(tmp_path), "--json")
    assert planned.returncode == 0, planned.stderr
