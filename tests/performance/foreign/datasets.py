"""Datasets through h5py, each rank a file of its own; the argument is the file."""

import os
import sys

import h5py
import numpy as np

rank = os.environ.get("OMPI_COMM_WORLD_RANK") or os.environ.get("PMI_RANK") or "0"
with h5py.File(f"{sys.argv[1]}.{rank}", "w") as file:
    for number in range(16):
        file.create_dataset(f"field{number}", data=np.full((256, 1024), float(number)))
