from pathlib import Path

import pytest

from verbs import weir_here
from weir.core.client import Core, find_core
from weir.core.schema import Description
from weir.mimic.derive import derive
from weir.pattern import steps_of
from weir.workloads import workloads
from weir.workloads.chombo import BOX_BYTES, LEVELS


def totals(name: str, ranks: int, size: int, folder: Path) -> Description:
    path = folder / "p.json"
    done = weir_here("workload", name, "--ranks", ranks, "--size", size, "--out", path)
    assert done.exit_code == 0, done.output
    case = {"id": "one", "benchmark": "storage", "ranks": ranks, "options": {"pattern": str(path)}}
    found = Core(find_core()).describe([case])["one"]
    assert isinstance(found, Description), found
    return found


@pytest.mark.parametrize("ranks", [1, 3, 4])
def test_all_boxes_of_all_levels_are_written_once(ranks: int, tmp_path: Path) -> None:
    boxes = [times * 8 * ranks + more for times, more in LEVELS]
    found = totals("chombo", ranks, 8, tmp_path).totals
    assert found.bytes_written == sum(n * (BOX_BYTES + 24 + 8) + 8 for n in boxes)
    assert found.operations == sum(boxes) + 2 * len(boxes)
    assert found.bytes_on_disk == found.bytes_written


def test_each_process_has_its_restart_file(tmp_path: Path) -> None:
    found = totals("gtc", 3, 1000, tmp_path).totals
    assert (found.files, found.operations) == (3, 7)
    assert found.bytes_written == 3 * ((1 << 18) + 8 + 64 * 1000 + 8) + 72


@pytest.mark.parametrize(("name", "least"), [("chombo", 0.95), ("gtc", 0.99)])
def test_parameters_imitate_them(name: str, least: float) -> None:
    assert derive(workloads.find(name)(4, 64)).fidelity.overall > least


def test_an_unknown_one_is_refused(tmp_path: Path) -> None:
    done = weir_here("workload", "chombi", "--out", tmp_path / "p.json")
    assert done.exit_code == 2
    assert "Did you mean 'chombo'?" in done.output


def test_records_of_a_restart_file_follow_each_other() -> None:
    end = 0
    for step in steps_of(workloads.find("gtc")(3, 1000).phases[0].steps):
        if step.access:
            assert step.access.extent
            assert step.access.extent.start == end
            end += step.access.extent.length
    assert end == (1 << 18) + 8 + 72 + 64 * 1000 + 8
