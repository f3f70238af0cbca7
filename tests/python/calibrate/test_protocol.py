"""The whole protocol on machines of arithmetic."""

import random
from pathlib import Path

import pytest

from weir.calibrate.bench import StorageFull
from weir.cli.calibrate import bytes_words, short_words, show, side_words, use_words
from weir.errors import WeirError

from .machines import GIB, MIB, Machine
from .simulation import Stage, play, usual


def test_states_plateau_cliff_and_the_larger_size(tmp_path: Path) -> None:
    found = play(tmp_path, Stage(usual()))
    assert found.verdict == "found"
    assert found.node_bytes is not None and 23 * GIB < found.node_bytes < 2 * 24 * GIB
    assert found.block_bytes == found.read.size_bytes
    assert found.read.plateau is not None and found.read.plateau.n >= 6
    assert found.read.plateau.median == pytest.approx(2e9, rel=0.1)
    words = side_words("read", found.read, found.ranks)
    assert "The cliff is between 8 GiB and 16 GiB a rank (16 GiB and 32 GiB on the node)" in words
    assert "5.0 times as much" in words
    assert use_words(found).startswith("Use 16 GiB a rank (32 GiB on the node), by --block 16GiB")


def test_writes_at_most_a_third_and_says_so(tmp_path: Path) -> None:
    found = play(tmp_path, Stage(usual(noise=0.02)))
    assert found.written_bytes <= found.exhaustive_bytes / 3
    assert found.exhaustive_bytes == pytest.approx(6 * 8 * 24 * GIB, rel=0.01)
    assert "of what a sweep in doublings up to 4 times the memory writes" in bytes_words(found)


@pytest.mark.parametrize("noise", [0.1, 0.3])
@pytest.mark.parametrize("seed", range(6))
def test_noise_is_met_by_more_samples_while_there_is_time(tmp_path: Path, noise: float, seed: int) -> None:
    found = play(tmp_path, Stage(_small_group(noise, seed)), budget_s=300)
    assert found.verdict == "found", found.why
    assert found.node_bytes is not None and found.node_bytes > 480 * MIB
    assert found.took_s < 300
    assert found.written_bytes <= found.exhaustive_bytes


def test_noise_is_given_up_on_when_the_time_is_over(tmp_path: Path) -> None:
    found = play(tmp_path, Stage(_small_group(0.3, 7)), budget_s=8)
    assert found.verdict == "inconclusive" and found.took_s < 9
    assert "the time" in found.why


def test_without_time_for_a_single_large_file_that_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = play(tmp_path, Stage(usual()), budget_s=0.001)
    assert found.verdict == "inconclusive" and found.read.sizes == []
    show(found)
    assert "Write: no plateau was found: the time of 1.00 ms is used up." in capsys.readouterr().out


def _small_group(noise: float, seed: int) -> Machine:
    """A control group of 512 MiB on storage that varies."""
    caches = {"memory": 512 * MIB, "write_cache": 100 * MIB, "read_cache": 480 * MIB}
    return Machine(**caches, storage=1e9, noise=noise, source=random.Random(seed))


def test_says_that_small_files_do_where_the_short_ways_agree(tmp_path: Path) -> None:
    found = play(tmp_path, Stage(usual(write_cache=0)))
    assert found.enough == {"dropped": 64 * MIB, "direct": 64 * MIB}
    assert all("Large files are not necessary here" in line for line in short_words(found))


def test_a_storage_without_o_direct_is_no_failure(tmp_path: Path) -> None:
    found = play(tmp_path, Stage(usual(write_cache=0), refuses="direct"))
    assert found.verdict == "found" and set(found.enough) == {"dropped"}
    assert "refused here: cannot open (Invalid argument)" in " ".join(short_words(found))


def test_without_a_cache_the_smallest_size_does(tmp_path: Path) -> None:
    found = play(tmp_path, Stage(Machine()))
    assert found.verdict == "found" and found.block_bytes is not None and found.block_bytes < 8 * MIB
    assert "no cache shows" in side_words("write", found.write, 2)


def test_memory_is_warmed_once(tmp_path: Path) -> None:
    stage = Stage(usual())
    play(tmp_path, stage)
    assert stage.warmed[0] == int(0.97 * 24 * GIB) and set(stage.warmed[1:]) == {0}


def test_a_launch_that_died_is_tried_again_once(tmp_path: Path) -> None:
    stage = Stage(usual(), dies={1, 3})
    found = play(tmp_path, stage)
    plain = play(tmp_path, Stage(usual()))
    assert (found.verdict, found.block_bytes) == (plain.verdict, plain.block_bytes)
    assert stage.emptied == 2 and stage.warmed[:3] == [int(0.97 * 24 * GIB)] * 2 + [0]
    assert sum("its rest is tried again, once" in told for told in stage.told if isinstance(told, str)) == 2


def test_a_launch_that_died_twice_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(WeirError, match="2 times in a row"):
        play(tmp_path, Stage(usual(), dies={1, 2}))


@pytest.mark.parametrize(
    ("bound", "reason"),
    [
        ({"most": 8 * GIB}, "--most 8 GiB"),
        ({"free": 10 * GIB}, "the free space, 10 GiB"),
        ({"budget_s": 20.0}, "the time"),
    ],
)
def test_what_does_not_fit_is_said_and_the_end_of_the_cache_not_claimed(
    tmp_path: Path, bound: dict[str, int], reason: str
) -> None:
    found = play(tmp_path, Stage(usual()), **bound)  # type: ignore[arg-type]
    assert found.verdict == "inconclusive" and found.block_bytes is None
    assert f"larger files were ruled out by {reason}" in found.why
    assert not found.read.seen
    assert max(size.bytes for size in found.read.sizes) * 2 < 23 * GIB
    assert found.enough == {}
    assert use_words(found).startswith("There is no size to recommend")


def test_a_quota_met_on_the_way_stops_at_what_fits(tmp_path: Path) -> None:
    stage = Stage(usual(), room=4 * GIB)
    found = play(tmp_path, stage)
    assert found.verdict == "inconclusive"
    assert "Disk quota exceeded" in found.why
    assert any("no room for files of" in told for told in stage.told if isinstance(told, str))
    assert all(size.bytes <= 4 * GIB for size in found.read.sizes)


def test_no_room_at_all_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StorageFull, match="Disk quota exceeded"):
        play(tmp_path, Stage(usual(), room=1))


def test_a_noisy_storage_is_not_called_precise(tmp_path: Path) -> None:
    found = play(tmp_path, Stage(usual(noise=0.8, cache_speed=400e9)))
    assert not found.read.precise
    assert found.written_bytes <= found.exhaustive_bytes / 3
