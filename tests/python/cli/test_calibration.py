"""Studies that leave a size to a calibration, with the fake core."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from calibrate.machines import GIB, MIB
from calibrate.simulation import Stage, play, usual
from fakes import FAKE_CORE, read_lines, study_text
from verbs import weir_ended as weir
from weir.calibrate.calibration import Calibration
from weir.calibrate.store import save, storage_of
from weir.cli._calibration import Source, Sources
from weir.core.client import Core
from weir.errors import WeirError
from weir.study.expand import calibrated_directories, expand
from weir.study.load import parse_study, render_study


@pytest.fixture(name="place")
def _place(place: Path) -> Path:
    """With a study that wants the calibrated size, and a calibration that is in no known place."""
    if storage_of(Path("store"))["nature"] == "memory":
        pytest.skip(f"'{place}' lives in memory")
    Path("small.toml").write_text(
        study_text(fixed="ranks = 2", axes='axes = { block = ["1MiB", "calibrated"] }')
    )
    write("c.json", calibration())
    return place


def calibration(**changes: Any) -> Calibration:
    """One of a machine of arithmetic, for the storage of `store`."""
    Path("logs").mkdir(exist_ok=True)
    found = play(Path("logs"), Stage(usual()))
    found.storage = storage_of(Path("store"))
    found.node_bytes, found.block_bytes = 64 << 20, 32 << 20
    # As much memory as no machine has, so that it is not outdated on any.
    found.memory["total"] = 1 << 60
    for name, value in changes.items():
        setattr(found, name, value)
    return found


def write(name: str, found: Calibration) -> None:
    Path(name).write_bytes(msgspec.json.encode(found))


def plan(*more: str) -> dict[str, Any]:
    done = weir("plan", "small.toml", "--dir", "store", "--json", *more)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def blocks(found: dict[str, Any]) -> list[int]:
    return [case["options"]["block"] for case in found["cases"]]


def test_a_plan_takes_the_named_calibration(place: Path) -> None:
    found = plan("--calibration", "c.json")
    assert blocks(found) == [1 << 20, 32 << 20]
    assert found["calibrations"][0]["path"] == "c.json" and not found["calibrations"][0]["assumed"]


def test_a_plan_takes_the_kept_calibration(place: Path) -> None:
    path = save(calibration())
    found = plan()
    assert blocks(found)[1] == 32 << 20 and found["calibrations"][0]["path"] == str(path)


def test_a_plan_without_one_says_what_would_happen_and_assumes_a_size(place: Path) -> None:
    assert plan()["calibrations"][0]["assumed"]
    # Memory has grown since: the cache may be larger now.
    save(calibration(memory={"total": 1 << 20, "cacheable": 1 << 20, "write_cache": None}))
    assert plan()["calibrations"][0]["assumed"]
    said = weir("plan", "small.toml", "--dir", "store").stdout
    assert "`weir run` makes one first" in said and "It writes at most" in said
    assert not list(Path("store").iterdir())


def test_a_run_keeps_its_calibration_and_goes_on_with_it(place: Path) -> None:
    run = ("run", "small.toml", "--dir", "store", "--out", "RUN", "--progress", "none")
    assert weir(*run, "--calibration", "c.json").returncode == 0
    assert [line["options"]["block"] for line in read_lines(place / "RUN", "case")] == [1 << 20, 32 << 20]
    before = Path("RUN/samples.jsonl").read_bytes()
    save(calibration(node_bytes=2 * GIB))
    again = weir(*run)
    assert again.returncode == 0 and "every case was finished before" in again.stderr
    assert Path("RUN/samples.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [("none.json", 2, "there is no calibration 'none.json'"), ("empty.json", 5, "names no size")],
)
def test_a_calibration_that_will_not_do_runs_nothing(place: Path, name: str, code: int, message: str) -> None:
    write(
        "empty.json", calibration(node_bytes=None, block_bytes=None, why="the end of the cache was not seen")
    )
    done = weir("run", "small.toml", "--dir", "store", "--out", "RUN", "--calibration", name)
    assert done.returncode == code and message in done.stderr
    assert not Path("RUN").exists()


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
