"""Files of PFLOTRAN for the tests of what reads them."""

import pytest

pytest.importorskip("h5py", reason="h5py, which reads and writes HDF5, is not installed")
