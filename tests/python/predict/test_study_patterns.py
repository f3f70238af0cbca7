"""Patterns of a study's cases, of the real core."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from weir.core.client import Core, find_core
from weir.errors import WeirError
from weir.measure.plan import make_plan
from weir.pattern import Access, Pattern, Step, steps_of
from weir.predict.study_patterns import StudyPatterns
from weir.study.case import Case
from weir.study.load import parse_study

CMB = 'benchmark = "cmb"\nbackend = "mpiio"\npixels = 200\nbins = 4\nranks = 4\ncache = "drop"'
GTC = 'benchmark = "storage"\nworkload = { name = "gtc", size = 100, sync = true }\nranks = 2'


def case_of(folder: Path, fixed: str, imitation: str) -> Case:
    text = f'[study]\nname = "s"\n[fixed]\n{fixed}\nimitation = "{imitation}"\n[[comparison]]\nname = "one"\n'
    core = Core(find_core())
    patterns = StudyPatterns(folder / "patterns", core)
    (case,) = make_plan(parse_study(text, "s.toml"), core, folder, replay_of=patterns).cases
    return case


def pattern_of(case: Case) -> Pattern:
    assert case.replay
    path = Path(case.replay.options["pattern"])
    assert path.name == f"{case.id}.json"
    return msgspec.json.decode(path.read_bytes(), type=Pattern)


def steps(pattern: Pattern) -> list[Step]:
    return [step for phase in pattern.phases for step in steps_of(phase.steps)]


def lengths(pattern: Pattern) -> set[Any]:
    accesses: list[Access] = [step.access for step in steps(pattern) if step.access]
    return {access.extent.length for access in accesses if access.extent}


def test_an_application_is_imitated_through_its_interface_and_cache(tmp_path: Path) -> None:
    case = case_of(tmp_path, CMB, "derived")
    assert case.benchmark == "cmb" and case.replay
    assert {key: case.replay.options[key] for key in ("backend", "cache", "dir")} == {
        "backend": "mpiio",
        "cache": "drop",
        "dir": None,
    }
    assert "pixels" not in case.replay.options
    assert lengths(pattern_of(case)) == {80000}
    assert case.replay.record.fidelity > 0.99


def test_its_own_pattern_loses_nothing_and_does_not_compute(tmp_path: Path) -> None:
    case = case_of(tmp_path, CMB, "pattern")
    assert case.replay
    assert (case.replay.record.fidelity, case.replay.record.lost) == (1, {})
    assert not any(step.compute for step in steps(pattern_of(case)))


def test_a_preset_takes_its_parameters_and_says_what_they_lose(tmp_path: Path) -> None:
    case = case_of(tmp_path, CMB, "shan-2007")
    assert case.replay
    assert lengths(pattern_of(case)) == {2 << 20}
    assert set(case.replay.record.lost) == {"S", "W", "C"}
    assert "are made as 2 MiB each" in case.replay.record.lost["C"]["read"][0]


def test_a_workload_is_synced_before_it_is_closed(tmp_path: Path) -> None:
    kinds = [bool(step.sync) for step in steps(pattern_of(case_of(tmp_path, GTC, "none")))]
    assert kinds == [False, False, False, False, True, False]


@pytest.mark.parametrize(
    ("fixed", "imitation", "told"),
    [
        (CMB, "shan-2006", "Did you mean 'shan-2007'?"),
        (GTC.replace('"gtc"', '"gct"'), "none", "Did you mean 'gtc'?"),
        ('benchmark = "stream"', "derived", "benchmark 'stream' has no pattern"),
    ],
)
def test_what_cannot_be_imitated_is_told_with_its_place(
    tmp_path: Path, fixed: str, imitation: str, told: str
) -> None:
    with pytest.raises(WeirError, match=r"s\.toml:") as caught:
        case_of(tmp_path, fixed, imitation)
    assert told in str(caught.value)
