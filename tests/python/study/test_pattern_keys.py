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
from weir.study.load import parse_study

IMITATIONS = 'axes = { imitation = ["none", "derived", "shan-2007"] }'
GTC = 'workload = { name = "gtc", size = 100, sync = true }'


def replay_of(case: Case) -> Replay:
    return Replay({"dir": None, "transfer": 2048}, ReplayRecord(fidelity=0.5))


def plan(folder: Path, made: Any = replay_of, **changes: Any) -> Plan:
    study = parse_study(study_text(**changes), "s.toml")
    return make_plan(study, Core(FAKE_CORE, folder / "cache"), folder, replay_of=made)


def test_an_imitation_is_a_case_of_its_own_that_carries_out_a_pattern(tmp_path: Path) -> None:
    found = plan(tmp_path, axes=IMITATIONS).cases
    assert [case.label for case in found] == ["imitation none", "imitation derived", "imitation shan-2007"]
    assert len({case.id for case in found}) == 3
    assert len({repr({**case.options, "imitation": ""}) for case in found}) == 1
    itself, derived, _ = (case_entry(case, "D") for case in found)
    assert itself["options"]["transfer"] == 65536
    assert derived["options"] == {"dir": "D", "keep": False, "transfer": 2048}
    assert found[1].as_data()["replay"]["fidelity"] == 0.5
    assert "replay" not in found[0].as_data()


def test_a_workload_has_no_shape_of_the_benchmark(tmp_path: Path) -> None:
    (case,) = plan(tmp_path, axes="", fixed=GTC).cases
    assert case.options["workload"] == {"name": "gtc", "size": 100, "sync": True}
    assert "block" not in case.options and "dir" in case.options


@pytest.mark.parametrize(
    ("fixed", "made", "told"),
    [
        ("imitation = 2", replay_of, "s.toml:10: 'imitation' is 2"),
        ('workload = "gtc"', replay_of, "s.toml:10: 'workload' is 'gtc'"),
        ('imitaton = "derived"', replay_of, "Did you mean 'imitation'?"),
        (GTC, None, "carries out a pattern"),
    ],
)
def test_what_will_not_do_is_told(tmp_path: Path, fixed: str, made: Any, told: str) -> None:
    with pytest.raises(WeirError) as caught:
        plan(tmp_path, made, axes="", fixed=fixed)
    assert told in str(caught.value)


def test_a_directory_of_some_cases_leaves_the_others_to_the_command_line(tmp_path: Path) -> None:
    memory = '[[comparison]]\nname = "memory"\nfixed = { dir = "/tmp" }\n'
    found = plan(tmp_path, axes="", more=memory)
    assert found.directories() == {None: tmp_path, "/tmp": Path("/tmp")}
