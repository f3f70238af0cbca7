from pathlib import Path

import pytest

from weir.core.schema import Description, Totals
from weir.errors import WeirError
from weir.measure.plan import Needs, check_needs, free_disk, free_files, free_memory, needs_of

from .simulation import make_case

DESCRIBED = {
    "a": Description("a", totals=Totals(bytes_on_disk=100, memory_bytes_per_rank=10)),
    "b": Description("b", totals=Totals(bytes_on_disk=300, memory_bytes_per_rank=1)),
}
CASES = [make_case("a", 4), make_case("b", 2)]


def test_the_greatest_case_counts_and_kept_files_add_up(tmp_path: Path) -> None:
    fleeting = needs_of(CASES, DESCRIBED, tmp_path, keep=False)
    kept = needs_of(CASES, DESCRIBED, tmp_path, keep=True)
    assert (fleeting.disk_bytes, fleeting.memory_bytes) == (300, 40)
    assert kept.disk_bytes == 400


@pytest.mark.parametrize(
    ("needs", "message"),
    [
        (Needs(2048, 1, 1024, 10), "not enough free space .*needs 2 KiB, and 1 KiB are free"),
        (Needs(1, 2048, 10, 1024), "not enough free memory"),
        (Needs(1, 1, 10, 10, 41, 40), "not enough free inodes .*needs 41, and 40 are free"),
    ],
)
def test_what_does_not_suffice_is_refused(tmp_path: Path, needs: Needs, message: str) -> None:
    with pytest.raises(WeirError, match=message):
        check_needs(needs, tmp_path)


def test_what_is_unknown_is_not_held_against_anyone(tmp_path: Path) -> None:
    check_needs(Needs(None, None, 1, 1), tmp_path)
    check_needs(Needs(1, 1, None, None), tmp_path)
    check_needs(Needs(1, 1, 1, 1, 10, None), tmp_path)


def test_the_machine_is_asked_and_may_not_answer(tmp_path: Path) -> None:
    assert (free_disk(tmp_path) or 0) > 0
    assert free_disk(tmp_path / "none") is None
    assert free_files(tmp_path) != 0
    assert free_files(tmp_path / "none") is None
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal: 9 kB\nMemAvailable:    7 kB\n")
    assert free_memory(meminfo) == 7168
    assert free_memory(tmp_path / "none") is None
