"""What `block = "calibrated"` becomes, and where a study needs a calibration."""

from pathlib import Path
from typing import Any

import pytest

from fakes import FAKE_CORE, study_text
from weir.cli._calibration import Source, Sources
from weir.core.client import Core
from weir.errors import WeirError
from weir.study.calibrated import calibrated_directories
from weir.study.expand import expand
from weir.study.load import parse_study, render_study

from .machines import GIB, MIB

SOURCES = Sources((Source(Path("/s"), 32 * GIB), Source(Path("/t"), 8 * GIB)), Path("/s"))
BLOCKS = SOURCES.block_of


@pytest.mark.parametrize(
    ("ranks", "options", "block"),
    [
        (2, {"transfer": MIB}, 16 * GIB),
        (1, {"transfer": MIB}, 32 * GIB),
        (4, {"transfer": MIB, "segments": 2, "files": 2}, 2 * GIB),
        (4, {"tasks": 2}, 16 * GIB),
        (3, {"transfer": MIB}, 11 * GIB),
        (2, {"transfer": 3 * MIB}, 5462 * 3 * MIB),
        (2, {"dir": "/t"}, 4 * GIB),
    ],
)
def test_all_ranks_files_together_are_as_large_as_calibrated(
    ranks: int, options: dict[str, Any], block: int
) -> None:
    assert BLOCKS(ranks, options) == block


@pytest.mark.parametrize(
    ("changes", "directories"),
    [
        ({}, []),
        ({"fixed": 'block = "calibrated"'}, ["/d"]),
        ({"axes": 'axes = { block = ["1MiB", "calibrated"] }'}, ["/d"]),
        ({"fixed": 'block = "calibrated"', "axes": 'axes = { dir = ["/a", "/b"] }'}, ["/a", "/b"]),
    ],
)
def test_a_study_says_which_calibrations_it_needs(changes: dict[str, str], directories: list[str]) -> None:
    study = parse_study(study_text(**changes), "s.toml")
    assert calibrated_directories(study, Path("/d")) == list(map(Path, directories))


def test_a_case_gets_its_block_and_the_study_keeps_the_word(tmp_path: Path) -> None:
    text = study_text(fixed='ranks = 2\ntransfer = "64KiB"', axes='axes = { block = ["1MiB", "calibrated"] }')
    study, schema = parse_study(text, "s.toml"), Core(FAKE_CORE, tmp_path).schema()
    small, large = expand(study, schema, BLOCKS).cases
    assert (small.options["block"], large.options["block"]) == (MIB, 16 * GIB)
    assert large.label == "block 16GiB"
    assert 'block = ["1MiB", "calibrated"]' in render_study(study)


@pytest.mark.parametrize("line", ['transfer = "calibrated"', 'block = "calibrate"'])
def test_only_a_block_can_be_calibrated(tmp_path: Path, line: str) -> None:
    study = parse_study(study_text(fixed=line), "s.toml")
    with pytest.raises(WeirError, match=r"s.toml:10: 'calibrated?' is not a size"):
        expand(study, Core(FAKE_CORE, tmp_path).schema(), BLOCKS)
