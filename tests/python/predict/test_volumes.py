"""What patterns ask for: by direction as the engine moves it, and in the sizes in which it is imitated."""

import json
from pathlib import Path

import pytest

from end_to_end.patterns import Json, closing, opening, phase
from end_to_end.patterns import pattern as small
from mimic.made import listed, nest, of_steps, repeat, typed
from weir.core.client import Core, find_core
from weir.core.schema import Description
from weir.mimic.derive import derive
from weir.mimic.presets import presets
from weir.predict.volumes import volumes

MIB = 1 << 20
PIECES = [[at for n in range(207) for at in (1000 * n, 8 * (n + 1))], [0, 800, 800, 16], []]


def mixed(percent: int, *, count: int, length: int = 4096, ranks: int = 2, **changes: object) -> Json:
    rank_levels = [(ranks, count * length)]
    levels = [(count, length)]
    part = nest("mixed", ranks=ranks, length=length, levels=levels, rank_levels=rank_levels)
    part["access"] |= {"read_percent": percent, **changes}
    return part


def by_lists(percent: int) -> Json:
    part = listed(PIECES, "mixed")
    part["access"]["read_percent"] = percent
    return part


def test_of_one_mixed_request_nothing_reads_unless_all_do() -> None:
    found = volumes(derive(of_steps(mixed(90, count=1, length=MIB), ranks=2)))
    assert {key: volume.bytes for key, volume in found.items()} == {("write", "write"): 2 * MIB}
    found = volumes(derive(of_steps(mixed(100, count=1, length=MIB), ranks=2)))
    assert {key: volume.bytes for key, volume in found.items()} == {("write", "read"): 2 * MIB}


@pytest.mark.parametrize(
    ("ranks", "step"),
    [
        (2, mixed(90, count=7)),
        (3, mixed(33, count=250, ranks=3)),
        (2, repeat(3, mixed(49, count=5), repeat(2, mixed(51, count=3)))),
        (2, mixed(70, count=9, order={"kind": "random", "seed": 1, "draws": 13})),
        (2, mixed(70, count=9, order={"kind": "shuffled", "seed": 1})),
        (3, by_lists(40)),
    ],
)
def test_mixed_requests_are_counted_as_the_engine_does(tmp_path: Path, ranks: int, step: Json) -> None:
    raw = small(phase("write", opening("create"), step, closing()), ranks=ranks)
    path = tmp_path / "p.json"
    path.write_text(json.dumps(raw))
    options = {"pattern": str(path), "dir": str(tmp_path)}
    case = {"id": "x", "benchmark": "storage", "ranks": ranks, "options": options}
    described = Core(find_core()).describe([case])["x"]
    assert isinstance(described, Description)
    found = {way: volume.bytes for (_, way), volume in volumes(derive(typed(raw))).items()}
    assert found == {"write": described.totals.bytes_written, "read": described.totals.bytes_read}


def test_mixed_requests_have_their_part_of_the_rounding() -> None:
    found = volumes(derive(of_steps(mixed(25, count=8, length=1), ranks=2)))
    assert {way: (volume.bytes, volume.as_made) for (_, way), volume in found.items()} == {
        "write": (12, 12 * 8),
        "read": (4, 4 * 8),
    }


@pytest.mark.parametrize(("length", "made"), [(1, 8), (11, 8), (13, 16), (4096, 4096), (MIB + 3, MIB)])
def test_requests_count_in_the_size_in_which_they_are_imitated(length: int, made: int) -> None:
    part = nest(ranks=2, length=length, levels=[(5, length)], rank_levels=[(2, 5 * length)])
    found = volumes(derive(of_steps(repeat(3, part), ranks=2)))["write", "write"]
    assert (found.bytes, found.as_made) == (30 * length, 30 * made)


def test_what_a_preset_makes_counts_by_bytes() -> None:
    part = nest(ranks=2, length=MIB, rank_levels=[(2, MIB)])
    found = volumes(derive(of_steps(part, ranks=2), presets.find("shan-2007")))["write", "write"]
    assert found.as_made == found.bytes == 2 * MIB


def test_phases_that_are_not_timed_and_accesses_without_bytes_count_nothing() -> None:
    part = nest(ranks=2, length=8, rank_levels=[(2, 8)])
    assert volumes(derive(of_steps(part, ranks=2, timed=False))) == {}
    assert volumes(derive(of_steps(nest(ranks=2, length=0), ranks=2))) == {}
