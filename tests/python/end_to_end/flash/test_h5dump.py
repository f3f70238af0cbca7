"""HDF5's own h5dump reads the files of `flash-io` and of `flash`."""

import re
import shutil
from pathlib import Path

import pytest

from running import ended

from ..real_core import run_core
from ..storage.test_formats import need_backends

OPTIONS = {
    "flash-io": ("--block", "4", "--blocks", "3", "--values", "random"),
    "flash": ("--levels", "3", "--steps", "4", "--dump-every", "4"),
}


@pytest.mark.parametrize("benchmark", OPTIONS)
def test_h5dump_reads_every_file_without_complaint(benchmark: str, place: Path) -> None:
    need_backends("hdf5")
    if shutil.which("h5dump") is None:
        pytest.skip("there is no h5dump")
    run_core(benchmark, "--dir", "store", *OPTIONS[benchmark], ranks=2).ended(0)
    files = sorted(path for path in Path("store").iterdir() if path.name.startswith("flash_"))
    assert len(files) == 3
    for path in files:
        done = ended("h5dump", str(path))
        assert (done.returncode, done.stderr) == (0, ""), path.name
        datasets = re.findall(r'^   DATASET "(.*)" \{$', done.stdout, re.MULTILINE)
        assert {"dens", "gid", "coordinates", "bounding box"} <= {name.strip() for name in datasets}, (
            path.name
        )
