"""A file of HDF5 that another user wrote leads weir-core, run by root, into no other file."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from others import give_away, needs_root

from ..real_core import Done, names_in, run_core
from .test_formats import need_backends

h5py = pytest.importorskip("h5py")
np = pytest.importorskip("numpy")

AQUIFER = ("aquifer", "--cells", "7x5x3", "--steps", "1", "--model", "analytic", "--wait", "0")
FLASH = ("flash", "--levels", "2", "--steps", "1", "--dump-every", "1")

Lead = Callable[[Any, str, Any, Path], None]
"""Makes the dataset of that name, which was like this, data of the other file."""


def by_storage(file: Any, name: str, was: Any, secret: Path) -> None:
    made = file.create_dataset(name, was.shape, was.dtype, external=[(str(secret), 0, was.nbytes)])
    for attribute in ("minimum", "maximum"):
        made.attrs[attribute] = [0.0]


def by_link(file: Any, name: str, was: Any, secret: Path) -> None:
    file[name] = h5py.ExternalLink(str(secret), "x")


def by_soft_link(file: Any, name: str, was: Any, secret: Path) -> None:
    file["elsewhere"] = h5py.ExternalLink(str(secret), "/")
    file[name] = h5py.SoftLink("/elsewhere/x")


def by_virtual_dataset(file: Any, name: str, was: Any, secret: Path) -> None:
    layout = h5py.VirtualLayout(was.shape, was.dtype)
    layout[...] = h5py.VirtualSource(str(secret), "x", was.shape)
    file.create_virtual_dataset(name, layout)


def by_unlimited_virtual_dataset(file: Any, name: str, was: Any, secret: Path) -> None:
    whole = (None, *was.shape[1:])
    layout = h5py.VirtualLayout(was.shape, was.dtype, maxshape=whole)
    layout[...] = h5py.VirtualSource(str(secret), "x", was.shape, maxshape=whole)
    file.create_virtual_dataset(name, layout)


WAYS: list[Lead] = [by_storage, by_link, by_soft_link, by_virtual_dataset, by_unlimited_virtual_dataset]
NO_SOFT_LINK = [way for way in WAYS if way is not by_soft_link]


def checkpoint(folder: Path) -> Path:
    run_core(*FLASH, "--dir", str(folder)).ended(0)
    return folder / "flash_hdf5_chk_0000"


def aquifer_input(folder: Path) -> Path:
    run_core(*AQUIFER, "--dir", str(folder)).ended(0)
    return folder / "aquifer-input.h5"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Sound files, by application."""
    need_backends("hdf5")
    found = {}
    for name, make in (("flash", checkpoint), ("aquifer", aquifer_input)):
        folder = tmp_path_factory.mktemp(name)
        found[name] = make(folder)
    return found


def lead_away(path: Path, name: str, way: Lead, secret: Path) -> None:
    """Change that dataset; then the file is another user's."""
    with h5py.File(path, "r+") as file:
        was = file[name]
        del file[name]
        way(file, name, was, secret)
    give_away(path)


def refuses(done: Done, name: str) -> None:
    told = done.ended(2).failure()
    words = f"{told['problem']} {told['reason']}"
    assert name in words and "another file" in words, told
    assert names_in("store") == []


COMMANDS = {"flash": (*FLASH, "--restart"), "aquifer": (*AQUIFER, "--input")}
CASES = [
    *(("flash", "dens", way) for way in WAYS),
    *(("flash", "real scalars", way) for way in NO_SOFT_LINK),
    *(("flash", "gid", way) for way in NO_SOFT_LINK),
    *(("aquifer", "Permeability", way) for way in WAYS),
    *(("aquifer", "Materials", way) for way in (by_link, by_soft_link)),
]


@needs_root
@pytest.mark.parametrize(("application", "name", "way"), CASES)
def test_a_secret_of_root_is_not_read(
    application: str, name: str, way: Lead, made: dict[str, Path], place: Path
) -> None:
    """Root would dump it. It is not even opened: it is a pipe, and who opens that waits for its writer."""
    given = Path(shutil.copy(made[application], "given"))
    secret = place / "secret"
    os.mkfifo(secret, 0o600)
    lead_away(given, name, way, secret)
    refuses(run_core(*COMMANDS[application], "given", "--dir", "store"), name)


def test_links_within_the_file_are_followed(made: dict[str, Path], place: Path) -> None:
    shutil.copy(made["flash"], "given")
    with h5py.File("given", "r+") as file:
        file.move("dens", "mass of a unit of volume")
        file["dens"] = h5py.SoftLink("/mass of a unit of volume")
    run_core(*FLASH, "--dir", "store", "--restart", "given").ended(0)
