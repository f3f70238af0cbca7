"""Patterns of a study's cases, of the real core."""

from pathlib import Path

import msgspec
import pytest

from weir.core.client import Core, find_core
from weir.errors import WeirError
from weir.measure.plan import make_plan
from weir.pattern import Pattern, Step, steps_of
from weir.predict.study_patterns import StudyPatterns
from weir.study.case import Replay
from weir.study.load import parse_study

CMB = 'benchmark = "cmb"\nbackend = "mpiio"\npixels = 200\nbins = 4\nranks = 4\ncache = "drop"'
GTC = 'benchmark = "storage"\nworkload = { name = "gtc", size = 100, sync = true }\nranks = 2'


def made(folder: Path, fixed: str, imitation: str) -> tuple[Replay, list[Step]]:
    """What is carried out, and the steps of its pattern."""
    text = f'[study]\nname = "s"\n[fixed]\n{fixed}\nimitation = "{imitation}"\n[[comparison]]\nname = "one"\n'
    core = Core(find_core())
    patterns = StudyPatterns(folder / "patterns", core)
    (case,) = make_plan(parse_study(text, "s.toml"), core, folder, replay_of=patterns).cases
    assert case.replay
    path = folder / "patterns" / f"{case.id}.json"
    assert case.replay.options["pattern"] == str(path)
    pattern = msgspec.json.decode(path.read_bytes(), type=Pattern)
    return case.replay, [step for phase in pattern.phases for step in steps_of(phase.steps)]


def lengths(steps: list[Step]) -> set[int]:
    return {step.access.extent.length for step in steps if step.access and step.access.extent}


def test_an_application_is_imitated_through_its_interface_and_cache(tmp_path: Path) -> None:
    replay, steps = made(tmp_path, CMB, "derived")
    assert {**replay.options, "pattern": ""}.items() >= {"backend": "mpiio", "cache": "drop"}.items()
    assert "pixels" not in replay.options
    assert lengths(steps) == {80000}
    assert 0.99 < replay.record.fidelity < 1


def test_its_own_pattern_loses_nothing_and_does_not_compute(tmp_path: Path) -> None:
    replay, steps = made(tmp_path, CMB, "pattern")
    assert (replay.record.fidelity, replay.record.lost) == (1, {})
    assert not any(step.compute for step in steps)


def test_a_preset_takes_its_parameters_and_says_what_they_lose(tmp_path: Path) -> None:
    replay, steps = made(tmp_path, CMB, "shan-2007")
    assert lengths(steps) == {2 << 20}
    assert set(replay.record.lost) == {"S", "W", "C"}
    assert "are made as 2 MiB each" in replay.record.lost["C"]["read"][0]


def test_a_workload_is_synced_before_it_is_closed(tmp_path: Path) -> None:
    _, steps = made(tmp_path, GTC, "none")
    assert [bool(step.sync) for step in steps] == [False, False, False, False, True, False]


@pytest.mark.parametrize(
    ("fixed", "imitation", "told"),
    [
        (CMB, "shan-2006", "Did you mean 'shan-2007'?"),
        (GTC.replace('"gtc"', '"gct"'), "none", "Did you mean 'gtc'?"),
        ('benchmark = "stream"', "derived", "benchmark 'stream' has no pattern"),
    ],
)
def test_what_cannot_be_imitated_is_told(tmp_path: Path, fixed: str, imitation: str, told: str) -> None:
    with pytest.raises(WeirError, match=r"s\.toml:") as caught:
        made(tmp_path, fixed, imitation)
    assert told in str(caught.value)


def test_imitations_of_one_application_keep_their_own_parameters(tmp_path: Path) -> None:
    axes = 'axes = { imitation = ["derived", "shan-2007", "none"] }'
    text = f'[study]\nname = "s"\n[fixed]\n{CMB}\n[[comparison]]\nname = "one"\n{axes}\n'
    core = Core(find_core())
    patterns = StudyPatterns(tmp_path / "patterns", core)
    cases = make_plan(parse_study(text, "s.toml"), core, tmp_path, replay_of=patterns).cases
    found = {str(case.options["imitation"]): case.replay.record for case in cases if case.replay}
    assert "are made as 2 MiB each" in str(found["shan-2007"].lost)
    assert "2 MiB" not in str(found["derived"].lost)
