"""Applications know what their dumps take, and refuse them where there is no room for them."""

from pathlib import Path

import pytest

from ..real_core import Done, names_in, run_core, run_core_after, run_core_on
from ..storage.test_formats import need_backends

LARGE = {
    "flash": "--levels 4 --steps 4 --dump-every 2",
    "flash-io": "--blocks 40",
    "cloud": "--cells 64x64x64 --no-physics --steps 2 --dump-every 2",
    "aquifer": "--cells 60x50x40 --model analytic --wait 0 --steps 2",
    "cmb": "--pixels 1024 --bins 4 --exponent 1",
}
"""Runs of more than 8 MiB."""
RANKS = {"cmb": 1}
DISK = "-t tmpfs -o size=8m"


def run(application: str, *options: str, mount: str = DISK) -> Done:
    return run_core_on(
        mount,
        application,
        *LARGE[application].split(),
        "--dir",
        "store",
        *options,
        ranks=RANKS.get(application, 2),
    )


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("application", LARGE)
def test_a_run_without_room_ends_before_it_computes(place: Path, application: str, keep: bool) -> None:
    need_backends("hdf5")
    done = run(application, "--keep" if keep else "--no-keep").ended(3)
    failure = done.failure()
    assert failure["problem"].startswith("not enough space in 'store")
    assert "--no-check-space" in failure["suggestion"]
    assert done.of("sample") == [] and done.others == []


@pytest.mark.parametrize("application", LARGE)
def test_whoever_knows_better_may_try(place: Path, application: str) -> None:
    need_backends("hdf5")
    failure = run(application, "--no-check-space").ended(3).failure()
    assert "No space left" in failure["reason"]


def test_the_room_of_dumps_that_are_replaced_counts(place: Path) -> None:
    cloud = "cloud --cells 32x32x32 --no-physics --steps 2 --dump-every 1 --dir store"
    run_core(*cloud.split()).ended(0)
    size = sum(path.stat().st_size for path in Path("store").iterdir())
    half_full = f"mount -t tmpfs -o size={size * 3 // 2 // 4096 * 4}k none store"
    first = run_core_after(f"cp -r store kept && {half_full} && cp kept/* store", *cloud.split())
    assert first.ended(0).of("sample")
    assert len(names_in("kept")) == 11


def test_dumps_that_grow_are_looked_at_one_by_one(place: Path) -> None:
    """How much blocks there will be is not known before the run."""
    need_backends("hdf5")
    flash = "flash --levels 4 --steps 24 --dump-every 12 --adapt-every 2 --files checkpoint --dir store"
    run_core(*flash.split(), ranks=2).ended(0)
    first, second = (Path("store", f"flash_hdf5_chk_{n:04}").stat().st_size for n in (0, 1))
    done = run_core_on(f"-t tmpfs -o size={(first + second // 2) // 1024}k", *flash.split(), ranks=2)
    assert done.ended(3).failure()["problem"] == "not enough space in 'store'"
    assert [name for name in done.others if not name.startswith(".")] == ["flash_hdf5_chk_0000"]
    assert done.samples("checkpoint")[0]["file_bytes"] == first, "what was measured before is kept"
