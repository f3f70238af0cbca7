"""Cases that carry out a pattern in place of their benchmark, as a study asks for them."""

from pathlib import Path
from typing import Any

import pytest

from fakes import FAKE_CORE, study_text
from weir.core.client import Core
from weir.errors import WeirError
from weir.measure.launch_watch import case_entry
from weir.measure.plan import Plan, make_plan
from weir.store.records import ReplayRecord
from weir.study.case import Case, Replay
from weir.study.expand import expand
from weir.study.load import parse_study

IMITATIONS = 'axes = { imitation = ["none", "derived", "shan-2007"] }'
GTC = 'workload = { name = "gtc", size = 100, sync = true }'


@pytest.fixture
def core(tmp_path: Path) -> Core:
    return Core(FAKE_CORE, tmp_path / "cache")


def cases(core: Core, **changes: Any) -> list[Case]:
    return expand(parse_study(study_text(**changes), "s.toml"), core.schema()).cases


def plan(core: Core, folder: Path, replayed: list[str], **changes: Any) -> Plan:
    def replay_of(case: Case) -> Replay:
        replayed.append(case.label)
        return Replay({"dir": None, "transfer": 2048}, ReplayRecord(fidelity=0.5))

    return make_plan(parse_study(study_text(**changes), "s.toml"), core, folder, replay_of=replay_of)


def test_an_imitation_is_a_case_of_its_own_with_the_same_options(core: Core) -> None:
    found = cases(core, axes=IMITATIONS)
    assert [case.label for case in found] == ["imitation none", "imitation derived", "imitation shan-2007"]
    assert len({case.id for case in found}) == 3
    assert len({repr({**case.options, "imitation": ""}) for case in found}) == 1


def test_only_what_has_another_pattern_is_replayed(core: Core, tmp_path: Path) -> None:
    replayed: list[str] = []
    found = plan(core, tmp_path, replayed, axes=IMITATIONS).cases
    assert replayed == ["imitation derived", "imitation shan-2007"]
    itself, derived, _ = (case_entry(case, "D") for case in found)
    assert itself["options"]["transfer"] == 65536
    assert derived["options"] == {"dir": "D", "keep": False, "transfer": 2048}
    assert found[1].as_data()["replay"]["fidelity"] == 0.5
    assert "replay" not in found[0].as_data()


def test_a_workload_has_no_shape_of_the_benchmark(core: Core) -> None:
    (case,) = cases(core, axes="", fixed=GTC)
    assert case.options["workload"] == {"name": "gtc", "size": 100, "sync": True}
    assert "block" not in case.options and "dir" in case.options


@pytest.mark.parametrize(
    ("fixed", "told"),
    [
        ("imitation = 2", "s.toml:10: 'imitation' is 2"),
        ('workload = "gtc"', "s.toml:10: 'workload' is 'gtc'"),
        ('workload = { name = "gtc" }', "missing required field"),
        ('imitaton = "derived"', "Did you mean 'imitation'?"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(core: Core, fixed: str, told: str) -> None:
    with pytest.raises(WeirError, match=r"s\.toml:10") as caught:
        cases(core, axes="", fixed=fixed)
    assert told in str(caught.value)


def test_who_makes_no_patterns_refuses_them(core: Core, tmp_path: Path) -> None:
    study = parse_study(study_text(axes="", fixed=GTC), "s.toml")
    with pytest.raises(WeirError, match="carries out a pattern"):
        make_plan(study, core, tmp_path)


def test_a_directory_of_some_cases_leaves_the_others_to_the_command_line(core: Core, tmp_path: Path) -> None:
    memory = '[[comparison]]\nname = "memory"\nfixed = { dir = "/tmp" }\n'
    found = plan(core, tmp_path, [], axes="", more=memory)
    assert found.directories() == {None: tmp_path, "/tmp": Path("/tmp")}
