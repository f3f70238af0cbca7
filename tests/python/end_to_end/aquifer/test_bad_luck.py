"""Runs of the aquifer that cannot go on: bad input or options, files in the way, a full disk, a dead rank."""

import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ..interrupting import Patience, interrupted, started
from ..real_core import Done, names_in, run_core, run_core_on
from .outputs import arrays_in

h5py = pytest.importorskip("h5py")
numpy = pytest.importorskip("numpy")

SMALL = ("--cells", "7x5x3", "--steps", "1", "--model", "analytic", "--wait", "0", "--dir", "store")
N = 105
TEXTS = 11
Edit = Callable[[Any], None]


def put(name: str, place: int, value: float) -> Edit:
    def edit(file: Any) -> None:
        file[name][place] = value

    return edit


def replace(name: str, *data: Any) -> Edit:
    """Instead of this dataset, or without it."""

    def edit(file: Any) -> None:
        del file[name]
        for one in data:
            file[name] = one

    return edit


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An input file."""
    folder = tmp_path_factory.mktemp("input")
    (folder / "store").mkdir()
    run_core("aquifer", *SMALL, cwd=folder).ended(0)
    return folder / "store" / "aquifer-input.h5"


def failed(done: Done, code: int = 2) -> str:
    """What the only complaint of a run is."""
    failure = done.ended(code).failure()
    assert len(done.errors) == 1 and failure["suggestion"]
    return f"{failure['problem']} ({failure['reason']})"


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (replace("Permeability"), "'Permeability' doesn't exist"),
        (replace("Permeability", [1.0] * (N - 1)), "not written as this array"),
        (replace("Permeability", numpy.ones(N, "f4")), "another kind"),
        (replace("Cell Ids", numpy.arange(1, N + 1, dtype="i8")), "another kind"),
        (put("Cell Ids", 90, 0), "'Cell Ids' has an id out of range: 0 (it is number 91"),
        (put("Cell Ids", 90, N + 1), "'Cell Ids' has an id out of range: 106"),
        (put("Materials/Cell Ids", 50, -1), "'Materials/Cell Ids' has an id out of range: -1"),
        (put("Cell Ids", 50, 3), "'Cell Ids' has the id 3 twice"),
        (put("Materials/Cell Ids", 50, 3), "'Materials/Cell Ids' has the id 3 twice"),
        (put("Permeability", 50, numpy.nan), "nan m^2 for the cell 51"),
        (put("Permeability", 50, 0), "0 m^2 for the cell 51"),
        (put("Permeability", 50, numpy.inf), "cell 51"),
        (put("Materials/Material Ids", 50, 0), "a material 0"),
        (put("Materials/Material Ids", 50, 3), "cell 51 is of the material 3 (the materials are 1 to 2)"),
        (put("Regions/Well/Cell Ids", 1, 20), "'Regions/Well/Cell Ids' has the id 20 twice"),
        (put("Regions/Source/Cell Ids", 0, N + 1), "'Regions/Source/Cell Ids' has an id out of range"),
        (replace("Regions/Well/Cell Ids", numpy.array([103, 104, 105], "i4")), "the well is dry"),
    ],
)
def test_an_input_that_is_none_is_refused(place: Path, made: Path, edit: Edit, words: str) -> None:
    shutil.copy(made, "in.h5")
    with h5py.File("in.h5", "r+") as file:
        edit(file)
    groups = ("--read-group", "2", "--read-buffer", "40")
    assert words in failed(run_core("aquifer", *SMALL, "--input", "in.h5", *groups, ranks=2))
    assert names_in("store") == []


def test_the_wrong_id_itself_is_named_whichever_rank_reads_it(place: Path, made: Path) -> None:
    shutil.copy(made, "in.h5")
    with h5py.File("in.h5", "r+") as file:
        put("Cell Ids", 50, 0)(file)
    assert "out of range: 0" in failed(run_core("aquifer", *SMALL, "--input", "in.h5", ranks=3))


def test_an_array_of_another_shape_is_named(place: Path, made: Path) -> None:
    shutil.copy(made, "in.h5")
    with h5py.File("in.h5", "r+") as file:
        replace("Permeability", [1.0])(file)
    said = failed(run_core("aquifer", *SMALL, "--input", "in.h5"))
    assert "Permeability" in said and "restart" not in said


@pytest.mark.parametrize("name", ["text", "cut.h5", "store", "nowhere.h5"])
def test_an_input_that_cannot_be_read_is_refused(place: Path, made: Path, name: str) -> None:
    Path("text").write_text("hello")
    Path("cut.h5").write_bytes(made.read_bytes()[:5000])
    assert name in failed(run_core("aquifer", *SMALL, "--input", name))
    assert names_in("store") == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--read-group", "0"), "read_group = 0"),
        (("--write-group", "2"), "more than there are ranks"),
        (("--write-group", "x"), "no number of ranks"),
        (("--write-group=-1",), "no number of ranks"),
        (("--read-group", "99999999999999999999"), "99999999999999999999 is more than there are ranks"),
        (("--write-group", "1x"), "no number of ranks"),
        (("--read-group", "auto", "--group-by", "node"), "sizes of groups contradict group_by = node"),
        (("--backend", "twophase", "--group-by", "node"), "groups of ranks contradict backend = twophase"),
        (("--backend", "pnetcdf"), "aquifer contradicts backend = pnetcdf"),
        (("--cells", "0x1x1"), "cells = '0x1x1'"),
        (("--cells", "2000x2000x2000"), "too many"),
        (("--edges", "10x10"), 'edges = "10x10" are no three lengths'),
        (("--edges", "10x-1x1"), "along y"),
        (("--edges", "infx1x1"), "along x"),
    ],
)
def test_bad_options_are_refused(place: Path, arguments: tuple[str, ...], words: str) -> None:
    options = [*SMALL[2:]] if "--cells" in arguments else [*SMALL]
    assert words in failed(run_core("aquifer", *options, *arguments))
    assert names_in("store") == []


def test_edges_are_decimal_numbers(place: Path) -> None:
    assert "edges" in failed(run_core("aquifer", *SMALL, "--edges", "0x10x10x1"))


def test_more_ranks_than_cells_along_an_axis_are_refused(place: Path) -> None:
    options = ("--cells", "1x2x1", *SMALL[2:])
    assert "cannot share" in failed(run_core("aquifer", *options, ranks=4))


@pytest.mark.parametrize(
    ("name", "files"), [("aquifer-001.h5", "per-step"), ("aquifer.h5", "one"), ("aquifer-input.h5", "one")]
)
def test_a_file_of_others_is_not_touched(place: Path, name: str, files: str) -> None:
    Path("store", name).write_bytes(b"mine")
    said = failed(run_core("aquifer", *SMALL, "--files", files, ranks=2), 3)
    assert f"{name}' already exists, and is not touched" in said
    assert names_in("store") == [name]
    assert Path("store", name).read_bytes() == b"mine"


@pytest.mark.parametrize("files", ["one", "per-step"])
def test_the_same_command_replaces_its_outputs(place: Path, files: str) -> None:
    for _ in range(2):
        run_core("aquifer", *SMALL[:2], "--steps", "3", *SMALL[4:], "--files", files, ranks=2).ended(0)


def test_the_input_is_not_overwritten(place: Path, made: Path) -> None:
    shutil.copy(made, "store/aquifer.h5")
    once_more = ("--input", "store/aquifer.h5", "--files", "one")
    assert "is not touched" in failed(run_core("aquifer", *SMALL, *once_more, ranks=2), 3)
    assert Path("store/aquifer.h5").read_bytes() == made.read_bytes()


def full_disk(files: str) -> Done:
    options = ("--cells", "12x10x8", *SMALL[4:], "--steps", "9", "--files", files, "--write-group", "2")
    options += ("--no-check-space",)
    return run_core_on("-t tmpfs -o size=400k", "aquifer", *options, ranks=2)


def test_a_full_disk_leaves_the_outputs_before(place: Path) -> None:
    done = full_disk("per-step")
    assert "No space left" in failed(done, 3)
    (sample,) = done.samples("write")
    whole = [f"aquifer-{number:03}.h5" for number in range(sample["dumps"])]
    assert sample["dumps"] > 1
    assert [name for name in done.others if name.startswith("aquifer-0")] == whole


def test_a_full_disk_is_said_to_leave_an_output_incomplete(place: Path) -> None:
    done = full_disk("one")
    assert "the output that was being added to 'aquifer.h5' is incomplete" in failed(done, 3)
    assert not any(name.endswith(".part") for name in done.others)


def test_a_killed_rank_leaves_the_outputs_before(place: Path) -> None:
    third = Path("store/aquifer-003.h5")
    options = ("--cells", "12x10x8", "--model", "analytic", "--wait", "5e-5", "--dir", "store", "--steps")
    patience = Patience(begin_s=60, before_s=0.1, end_s=60)
    done = interrupted(
        "aquifer", *options, "400", ranks=2, begun=third.exists, patience=patience, stop=signal.SIGKILL
    )
    assert done.code != 0
    for number in range(3):
        assert len(arrays_in(Path(f"store/aquifer-{number:03}.h5"))) == TEXTS + 10
    run_core("aquifer", *options, "2", ranks=2).ended(0)  # the killed run has listed its outputs as its own


def test_a_closed_pipe_is_an_error_also_after_petsc_has_begun(place: Path) -> None:
    process = started("aquifer", "--cells", "8x6x5", "--steps", "3", "--dir", "store", ranks=1)
    assert process.stdout and process.stderr
    process.stdout.readline()
    process.stdout.close()
    assert "Broken pipe" in process.stderr.read()
    assert process.wait(timeout=60) == 2


def test_a_flow_that_does_not_converge_keeps_the_outputs_before(place: Path) -> None:
    hard = ("--spread", "5", "--step-days", "10000", "--correlation", "20", "--steps", "4")
    done = run_core("aquifer", "--cells", "12x10x8", "--dir", "store", "--model", "flow", *hard, ranks=2)
    if "PETSc" in done.talk:
        pytest.skip("this build has no flow")
    assert "converge" in failed(done, 3)
    assert len(arrays_in(Path("store/aquifer-000.h5"))) == TEXTS + 10
    assert "aquifer-001.h5" not in names_in("store")
