"""The gas cloud's dumps through HDF5 and PnetCDF, read by h5py and netCDF4, beside its plain bytes."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from weir.cloud.dump import STATE, open_dump

from .. import read_by_others
from ..real_core import Done, run_core
from ..storage.test_formats import need_backends

CELLS = (12, 8, 16)
"""Along x, y and z."""
SHAPE = CELLS[::-1]
PICTURES = ["density", "pressure", "speed", "potential"]
HEADER = 24


def run(store: str, *options: str, ranks: int = 4) -> Done:
    Path(store).mkdir(exist_ok=True)
    shape = ("--cells", "12x8x16", "--steps", "2", "--dump-every", "2", "--no-resolution-stop")
    return run_core("cloud", *shape, "--dir", store, *options, ranks=ranks).ended(0)


READERS = pytest.mark.parametrize(("backend", "read"), read_by_others.READERS.items())


@READERS
@pytest.mark.parametrize("method", ["two-phase", "independent"])
def test_other_programs_find_every_array(backend: str, read: Any, method: str, place: Path) -> None:
    need_backends(backend)
    run("plain")
    run("store", "--backend", backend, "--method", method)
    assert sorted(p.name for p in Path("store").iterdir()) == sorted(p.name for p in Path("plain").iterdir())
    for name in ("restart", "analysis-000002"):
        found, plain = read(Path("store") / name), open_dump(Path("plain") / name)
        assert sorted(found) == sorted(["header", *STATE])
        reals = np.fromfile(Path("plain") / name, np.float32, 6)
        assert found["header"].dtype == np.float32 and (found["header"] == reals).all()
        for field in STATE:
            assert (found[field].shape, found[field].dtype) == (SHAPE, np.dtype(np.float32))
            assert (found[field] == plain.arrays[field]).all()
    for picture in PICTURES:
        name = f"{picture}-000002"
        found = read(Path("store") / name)
        shades = np.fromfile(Path("plain") / name, np.uint8, offset=HEADER).reshape(SHAPE)
        assert sorted(found) == sorted(["header", picture])
        assert found[picture].dtype == np.uint8 and (found[picture] == shades).all()


@READERS
def test_a_run_goes_on_from_its_restart(backend: str, read: Any, place: Path) -> None:
    need_backends(backend)
    run("plain")
    run("store", "--backend", backend)
    for store, options in (("plain", ()), ("store", ("--backend", backend))):
        run(store, "--restart", f"{store}/restart", "--ranks-along", "1x2x1", *options, ranks=2)
    found = read(Path("store/analysis-000004"))
    plain = open_dump(Path("plain/analysis-000004"))
    for field in STATE:
        assert (found[field] == plain.arrays[field]).all()


@pytest.mark.parametrize("backend", ["posix", "mpiio", "uring"])
def test_plain_bytes_are_the_same_through_any_back_end(backend: str, place: Path) -> None:
    need_backends(backend)
    run("plain")
    done = run("store", "--backend", backend)
    for path in Path("plain").iterdir():
        assert (Path("store") / path.name).read_bytes() == path.read_bytes()
    (sample,) = done.samples("run")
    calls = sample["io"]["calls"]
    assert calls["open"]["count"] == calls["close"]["count"] == 4 * 6
    assert calls["seek"]["count"] is None and calls["communication"]["count"] is None
