"""Files of PFLOTRAN, shown and drawn, from the outside."""

import json
import os
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from aquifer.made_file import PRESSURE, SATURATION, TRACER, VELOCITIES, Recipe, even, fields, write_file
from pictures import drawing, expect_advice_without_what_draws, expect_refused, hide
from verbs import weir_here as weir
from weir.extras import how_to_install

LAST = "Time:  1.50000E+00 d"


@pytest.fixture
def made(tmp_path: Path) -> Path:
    return write_file(tmp_path / "aquifer.h5")


def told(path: Path, *options: object) -> dict[str, Any]:
    done = weir("picture", path, *options, "--json")
    assert done.exit_code == 0, done.output
    data: dict[str, Any] = json.loads(done.stdout)
    return data


def drawn(path: Path, *options: object) -> str:
    out = path.with_name("picture.svg")
    done = weir("picture", path, *options, "-o", out)
    assert done.exit_code == 0, done.output
    return out.read_text()


@drawing
@pytest.mark.parametrize(("ending", "begins"), [("svg", b"<svg"), ("png", b"\x89PNG")])
def test_a_picture_is_drawn(made: Path, ending: str, begins: bytes) -> None:
    out = made.with_name(f"slice.{ending}")
    done = weir("picture", made, "--out", out)
    assert done.exit_code == 0 and done.stdout == f"{out}\n"
    assert out.read_bytes().startswith(begins)


@drawing
def test_the_picture_says_what_it_shows(made: Path) -> None:
    text = drawn(made, "--at", 20, "--step", 1)
    for words in (
        "Liquid pressure, liquid saturation and total tracer at y = 20 m; time 1.5 d",
        "aquifer.h5: 7 x 5 x 4 cells; output 1 of 0 to 1",
        "cell 1 along y, from 12 to 24 m; vertical exaggeration 2",
        "flow lines follow the velocity in this plane, at most 0.3 m/d",
        "Liquid pressure, contours every 20 kPa",
        "liquid pressure (kPa)",
        "liquid saturation (share of pores)",
        "Total tracer, flow lines",
        "total tracer (M)",
        "x (m)",
        "z (m)",
    ):
        assert words in text, words
    assert text.count("data:image/png;base64,") == 3


@drawing
def test_programs_are_told_the_same(made: Path) -> None:
    data = told(made, "--axis", "x", "--cell", 2)
    assert data["picture"] == str(made.with_name("aquifer.h5-001-x.png"))
    keys = ("cells", "step", "steps", "time", "time_unit", "axis", "cell", "thinned")
    assert [data[key] for key in keys] == [[7, 5, 4], 1, 2, 1.5, "d", "x", 2, False]
    assert data["at_m"] == pytest.approx(2.5 * 100 / 7)
    whole = fields(even((7, 5, 4)), 1.5)
    for panel, name in zip(data["panels"], (PRESSURE, SATURATION, TRACER), strict=True):
        assert (panel["minimum"], panel["maximum"]) == (whole[name][2].min(), whole[name][2].max())
    speed = np.hypot(whole[VELOCITIES[1]][2], whole[VELOCITIES[2]][2]).max()
    assert data["largest_velocity_in_plane"] == pytest.approx(speed)
    assert data["panels"][0]["contour_step"] == pytest.approx(20_000) and data["flow_lines"] > 0


@drawing
@pytest.mark.parametrize("cells", [(1, 1, 1), (2, 3, 1), (1, 5, 2), (13, 2, 11), (1, 1, 9)])
def test_odd_shapes_are_drawn(tmp_path: Path, cells: tuple[int, int, int]) -> None:
    path = write_file(tmp_path / "a.h5", Recipe(cells))
    for axis in "xyz":
        data = told(path, "--axis", axis)
        assert len(data["panels"]) == 3


@drawing
def test_other_variables_are_drawn_by_their_names_with_and_without_unit(tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.h5", Recipe(species=3))
    text = drawn(path, "--variable", "Material_ID", "--variable", "Total_Tracer_3 [M]")
    assert "Material ID and total tracer 3 at y = 30 m" in text and "total tracer 3 (M)" in text
    assert "#440154" in text and "#fde725" in text
    assert [one["variable"] for one in told(path, "--variable", "Total_Tracer_2")["panels"]] == [
        "Total_Tracer_2"
    ]


@drawing
def test_a_file_without_velocities_has_no_flow_lines(tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.h5", Recipe(with_velocity=False))
    data = told(path)
    assert data["flow_lines"] == 0 and data["largest_velocity_in_plane"] is None
    assert "flow" not in drawn(path)


@drawing
def test_without_lines_there_are_none(made: Path) -> None:
    text = drawn(made, "--no-lines")
    assert "contours" not in text and "flow" not in text


@drawing
def test_cells_without_a_number_are_grey_and_counted(made: Path) -> None:
    with h5py.File(made, "r+") as file:
        file[f"{LAST}/{TRACER}"][:2, 2, 0] = np.nan
        file[f"{LAST}/{PRESSURE}"][0, 2, 0] = np.inf
        file[f"{LAST}/{VELOCITIES[0]}"][3, 2, 1] = np.nan
    assert "grey: no finite number (liquid pressure 1 cell, total tracer 2 cells)" in drawn(made)
    assert [one["cells_without_number"] for one in told(made)["panels"]] == [1, 0, 2]
    with h5py.File(made, "r+") as file:
        file[f"{LAST}/{TRACER}"][:, 2, :] = np.nan
    done = weir("picture", made)
    assert done.exit_code == 4 and "Total_Tracer has no finite number in this plane" in done.stderr


@drawing
def test_even_values_are_told(made: Path) -> None:
    with h5py.File(made, "r+") as file:
        file[f"{LAST}/{SATURATION}"][...] = 1
    assert "Liquid saturation, the same everywhere: 1" in drawn(made)


@drawing
def test_a_name_of_any_bytes_is_drawn(made: Path) -> None:
    named = made.rename(os.fsdecode(os.fsencode(made) + b"\xff\x1b"))
    assert "aquifer.h5\\xff\\x1b: 7 x 5 x 4 cells" in drawn(named)


def test_show_tells_the_grid_the_times_and_what_is_in_the_last_output(made: Path) -> None:
    with h5py.File(made, "r+") as file:
        file[f"{LAST}/{TRACER}"][:2, 2, 0] = np.nan
        file[f"{LAST}/{SATURATION}"][...] = np.nan
    text = weir("show", made).stdout
    assert "7 x 5 x 4 cells; x 0 to 100 m, y 0 to 60 m, z 0 to 20 m" in text and "0 d, 1.5 d" in text
    data = json.loads(weir("show", made, "--json").stdout)
    assert (data["file"], data["cells"], data["step"]) == (str(made), [7, 5, 4], 1)
    assert data["domain_m"] == [[0, 100], [0, 60], [0, 20]]
    assert data["times"] == [{"time": 0, "time_unit": "d"}, {"time": 1.5, "time_unit": "d"}]
    whole = fields(even((7, 5, 4)), 1.5)
    assert set(data["variables"]) == {name.partition(" [")[0] for name in whole}
    pressure, none = {"unit": "Pa"}, {"unit": "", "minimum": None, "maximum": None}
    ends = {"minimum": whole[PRESSURE].min(), "maximum": whole[PRESSURE].max()}
    assert data["variables"]["Liquid_Pressure"] == {**pressure, **ends, "cells_without_number": 0}
    assert data["variables"]["Liquid_Saturation"] == {**none, "cells_without_number": 7 * 5 * 4}
    assert data["variables"]["Total_Tracer"]["cells_without_number"] == 2


def test_ranges_are_those_of_all_slabs(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = weir("show", made, "--json").stdout
    monkeypatch.setattr("weir.aquifer.shown._SLAB_BYTES", 1)
    assert weir("show", made, "--json").stdout == before


def refusals(folder: Path) -> dict[str, Path]:
    """Files that are refused, by words of the refusal."""

    def changed(name: str, *deleted: str, **added: Any) -> Path:
        path = write_file(folder / name)
        with h5py.File(path, "r+") as file:
            for one in deleted:
                del file[one]
            for one, values in added.items():
                file[f"Coordinates/{one} [m]"] = values
        return path

    whole = write_file(folder / "whole")
    cut, text, netcdf, empty, other = (folder / name for name in ("cut", "text", "cdf", "empty", "other"))
    cut.write_bytes(whole.read_bytes()[:-1000])
    text.write_text("no file of HDF5")
    netcdf.write_bytes(b"CDF\x05" + bytes(100))
    empty.touch()
    with h5py.File(other, "w") as file:
        file["values"] = np.ones(3)
    linked = changed("linked", LAST)
    with h5py.File(linked, "r+") as file:
        file[LAST] = h5py.ExternalLink("whole", LAST)
        del file["Time:  0.00000E+00 d"]
    x = "Coordinates/X [m]"
    return {
        "is truncated": cut,
        "is no dump that Weir knows. Name": text,
        "is a file of netCDF": netcdf,
        "it is empty": empty,
        "is no dump that Weir knows (it is a file of HDF5 with 'values')": other,
        "(it has no group 'Coordinates')": changed("bare", "Coordinates"),
        "it has no dataset 'X [m]'": changed("short", x),
        "it has no output times": linked,
        "'X [m]' holds no rising edges": changed("falling", x, X=np.arange(8.0)[::-1]),
        "holds no rising edges of cells": changed("nan", x, X=[0, 1, 2, 3, np.nan, 5, 6, 7]),
        "rising edges of cells": changed("one", x, X=[1.0]),
        "not of": changed("flat", x, X=np.ones((2, 4))),
        "is float64 of shape ()": changed("scalar", x, X=1.0),
        "has nothing to show at 1.5 d": changed("mismatch", x, X=np.arange(9.0)),
        "there is no such file": folder / "nowhere",
    }


@drawing
def test_files_that_cannot_be_read_are_refused_in_one_line(tmp_path: Path) -> None:
    for words, path in refusals(tmp_path).items():
        for verb in ("picture", *["show"] * path.exists()):
            done = weir(verb, path)
            if (verb, words) != ("show", "has nothing to show at 1.5 d"):
                assert (done.exit_code, done.stdout) == (2, ""), (words, done.output)
                assert words in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr
        assert json.loads(weir("picture", path, "--json").stdout)["error"]["exit_code"] == 2


@drawing
def test_what_a_dataset_claims_to_be_is_bounded(made: Path) -> None:
    """A terabyte that is not in the file is not read."""
    with h5py.File(made, "r+") as file:
        del file[f"{LAST}/{PRESSURE}"], file["Coordinates"]
        for axis, count in zip("XYZ", (7, 1 << 19, 1 << 19), strict=True):
            file.create_dataset(
                f"Coordinates/{axis} [m]", data=np.arange(count + 1.0), compression="gzip", shuffle=True
            )
        file.create_dataset(f"{LAST}/{PRESSURE}", (7, 1 << 19, 1 << 19), "f8")
    assert "is said to have 15,393,162,788,864 bytes" in weir("picture", made).stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--variable", "Liquid_Pressur"), "did you mean 'liquid_pressure'?"),
        (("--axis", "w"), "use x, y or z"),
        (("--at", "61"), "the domain reaches from 0 to 60 m"),
        (("--cell", "5"), "they are 0 to 4"),
        (("--cell", "1", "--at", "3"), "leave one of the two away"),
        (("--time", "1.5", "--step", "1"), "leave one of the two away"),
        (("--time", "7"), "the nearest is 1.5 d"),
        (("--step", "2"), "use --step 0 to 1"),
        (
            tuple(word for number in range(7) for word in ("--variable", str(number))),
            "cannot draw 7 variables in one picture",
        ),
        (("-o", "slice.bmp"), "use .png, .svg, .pdf, .html"),
        (("-o", "nowhere/slice.png"), "choose another --out"),
    ],
)
@drawing
def test_wrong_wishes_are_refused_in_one_line(
    made: Path, arguments: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(made.parent)
    expect_refused(made, arguments, said)


@pytest.mark.parametrize(("package", "extra"), [("h5py", "aquifer,flash"), ("contourpy", "aquifer")])
def test_without_a_package_it_says_what_to_install(
    made: Path, monkeypatch: pytest.MonkeyPatch, package: str, extra: str
) -> None:
    hide(package, monkeypatch)
    done = weir("picture", made)
    assert done.exit_code == 2 and how_to_install(extra) in done.stderr


def test_without_the_package_that_draws_it_says_what_to_install(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expect_advice_without_what_draws(made, monkeypatch)
