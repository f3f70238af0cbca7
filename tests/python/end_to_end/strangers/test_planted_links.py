"""Another user has planted links in a directory where root works: nothing is made behind them."""

from pathlib import Path

import pytest

from others import give_away, needs_root

from ..real_core import Done, run_core, storage, write_cases

pytestmark = needs_root

each_backend = pytest.mark.parametrize("backend", ["mpiio", "hdf5", "pnetcdf"])


def run(*words: str) -> Done:
    """Two ranks of weir-core, which must end well, if the build has what they want."""
    done = run_core(*words, ranks=2)
    if done.code == 3 and "this weir-core" in done.talk:
        pytest.skip(done.talk)
    return done.ended(0)


def plant(folder: Path, names: list[str]) -> list[Path]:
    """Each rank of Open MPI tries a lock in FILE.locktest.RANK while it opens FILE: links in these places.
    Returns what they lead to; the folder is the stranger's."""
    targets = []
    for name in names:
        for rank in range(2):
            targets.append(folder.parent / f"made-{name}-{rank}")
            (folder / f"{name}.locktest.{rank}").symlink_to(targets[-1])
    give_away(folder)
    return targets


@each_backend
def test_beside_a_file_that_is_read(place: Path, backend: str) -> None:
    def case(**options: object) -> str:
        return write_cases(storage("one", backend=backend, keep=True, foreign_folder=True, **options))

    run(case(read=False))
    behind = plant(place / "store", ["weir-data"])
    run(case(write=False))
    assert [target for target in behind if target.exists()] == []


@each_backend
def test_beside_dumps(place: Path, backend: str) -> None:
    words = ["cloud", "--cells=16x16x16", "--steps=5", "--backend", backend, "--foreign-folder", "--dir"]
    (place / "first").mkdir()
    run(*words, "first")
    names = [path.name for path in (place / "first").iterdir() if not path.name.startswith(".")]
    assert names
    behind = plant(place / "store", [*names, *(f"{name}.weir-part" for name in names)])
    run(*words, "store")
    assert [target for target in behind if target.exists()] == []


@each_backend
def test_beside_a_restart_file(place: Path, backend: str) -> None:
    words = ["cloud", "--cells=16x16x16", "--backend", backend, "--foreign-folder", "--dir"]
    run(*words, "store", "--steps=5")
    behind = plant(place / "store", ["restart"])
    (place / "other").mkdir()
    run(*words, "other", "--restart=store/restart", "--steps=5")
    assert [target for target in behind if target.exists()] == []
