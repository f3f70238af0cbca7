"""Unknowns that HDF5 takes out of memory itself: the same files as with packed ones."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from .. import read_by_others
from ..real_core import Line, run_core
from ..storage.test_formats import need_backends
from .test_flash_io import FILES, PLOTTED, UNKNOWNS, library_is_1_10

Arrays = dict[str, Any]


def written(pack: str, *options: str, ranks: int) -> tuple[dict[str, Arrays], dict[str, Line]]:
    """The arrays of each file, and the sample of each phase."""
    shape = ("--blocks", "3", "--values", "random")
    done = run_core("flash-io", "--dir", "store", "--pack", pack, *shape, *options, ranks=ranks).ended(0)
    files = {
        phase: read_by_others.read_hdf5(Path(f"store/flash_io_test_hdf5_{kind}_0000"))
        for phase, kind in FILES.items()
    }
    return files, {phase: done.samples(phase)[0] for phase in FILES}


@pytest.mark.parametrize(("side", "ranks"), [(2, 1), (8, 2), (10, 3)])
@pytest.mark.parametrize("memory", ["interleaved", "separate"])
@pytest.mark.parametrize("method", ["independent", "auto"])
def test_files_are_the_same(side: int, ranks: int, memory: str, method: str, place: Path) -> None:
    need_backends("hdf5")
    options = ("--block", str(side), "--memory", memory, "--method", method)
    copied, _ = written("copy", *options, ranks=ranks)
    taken, samples = written("library", *options, ranks=ranks)
    for phase, arrays in copied.items():
        assert taken[phase].keys() == arrays.keys()
        for name, array in arrays.items():
            assert taken[phase][name].dtype == array.dtype
            assert taken[phase][name].tobytes() == array.tobytes(), (phase, name)
    assert len(np.unique(copied["checkpoint"]["dens"])) == copied["checkpoint"]["dens"].size
    packed_plot = method == "auto"  # HDF5 converts in independent transfers only
    for phase, packed in (("checkpoint", False), ("plot", packed_plot), ("corner", True)):
        (file,) = samples[phase]["costs"]["files"]
        count = len(UNKNOWNS if phase == "checkpoint" else PLOTTED)
        assert file["arrays"]["packs"][-count:] == [ranks if packed else 0] * count, phase
        assert samples[phase]["pack"] == "library"


def test_hdf5_1_10_requests_each_number_of_interleaved_memory(place: Path) -> None:
    need_backends("hdf5")
    if not library_is_1_10():
        pytest.skip("another version of HDF5")
    options = ("--block", "4", "--method", "independent")
    _, samples = written("library", *options, ranks=2)
    (file,) = samples["checkpoint"]["costs"]["files"]
    assert file["arrays"]["requests"][-24:] == [(3 + 4) * 4**3] * 24


def test_chunks_are_compressed_out_of_memory_too(place: Path) -> None:
    need_backends("hdf5")
    options = ("--block", "4", "--chunk-rows", "2", "--deflate", "2", "--tree-collective")
    copied, _ = written("copy", *options, ranks=3)
    taken, _ = written("library", *options, ranks=3)
    for name in UNKNOWNS:
        assert (copied["checkpoint"][name.ljust(4)] == taken["checkpoint"][name.ljust(4)]).all()


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--backend", "posix"], "pack = library contradicts backend = posix"),
        (["--backend", "mpiio"], "pack = library contradicts backend = mpiio"),
        (["--datasets", "one"], "pack = library contradicts datasets = one"),
    ],
)
def test_what_takes_packed_data_only_is_refused(options: list[str], problem: str, place: Path) -> None:
    need_backends("hdf5")
    failure = run_core("flash-io", "--dir", "store", "--pack", "library", *options).ended(2).failure()
    assert failure["problem"] == problem
    assert "pack = copy" in failure["suggestion"]
    assert list(Path("store").iterdir()) == []
