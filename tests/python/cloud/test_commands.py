"""Dumps of the gas cloud, shown and drawn, from the outside."""

import json
import re
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from cloud.images import chunks
from cloud.made_dump import sphere, write_scaled, write_state
from pictures import drawing, expect_advice_without_what_draws, expect_refused
from verbs import weir_here as weir

CELLS = (16, 12, 8)


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    return write_state(tmp_path / "analysis-000005", sphere(*CELLS))


def lines(image: bytes) -> tuple[int, int, int]:
    """Width and height of a PNG file, and how many different lines (as filtered) it has."""
    found = chunks(image)
    width, height = struct.unpack_from(">II", found[b"IHDR"])
    pixels = zlib.decompress(found[b"IDAT"])
    size = len(pixels) // height
    return width, height, len({pixels[i : i + size] for i in range(0, len(pixels), size)})


@drawing
def test_a_picture_is_drawn_beside_the_dump(dump: Path) -> None:
    done = weir("picture", dump)
    path = dump.with_name("analysis-000005-density-z.png")
    assert done.exit_code == 0 and done.stdout == f"{path}\n"
    image = path.read_bytes()
    width, height, different = lines(image)
    assert image[:4] == b"\x89PNG" and width > 2 * 800 and height > 600 and different > 50


@drawing
@pytest.mark.parametrize(
    ("ending", "begins"), [("svg", b"<svg"), ("pdf", b"%PDF"), ("html", b"<!DOCTYPE html>")]
)
def test_the_ending_says_the_format(dump: Path, tmp_path: Path, ending: str, begins: bytes) -> None:
    out = tmp_path / f"cloud.{ending}"
    assert weir("picture", dump, "-o", out, "--variable", "speed", "--axis", "x").exit_code == 0
    assert out.read_bytes().lstrip().startswith(begins)


@drawing
def test_the_picture_says_what_it_shows(dump: Path, tmp_path: Path) -> None:
    out = tmp_path / "cloud.svg"
    weir("picture", dump, "-o", out)
    text = out.read_text()
    for words in (
        "Gas cloud: density after 5 steps",
        "time 0.25 (scaled), 16 x 12 x 8 cells, gamma 1.5",
        "Column density along z",
        "column density (scaled)",
        "density (scaled)",
        "x (box length = 1)",
        "y (box length along x = 1)",
    ):
        assert words in text
    assert text.count("data:image/png;base64,") == 2


@drawing
def test_the_picture_says_where_the_box_is_cut(tmp_path: Path) -> None:
    rho = sphere(*CELLS)["rho"]
    path = write_state(tmp_path / "restart", {"rho": np.roll(rho, 8, 0)})
    out = tmp_path / "cloud.svg"
    assert weir("picture", path, "-o", out).exit_code == 0
    assert re.search(r"the box is periodic, and drawn from x = 0\.\d+, where its edge", out.read_text())
    assert weir("picture", path, "-o", out, "--as-stored").exit_code == 0
    assert "periodic" not in out.read_text()


@drawing
def test_json_tells_where_and_how_dense(dump: Path) -> None:
    told = json.loads(weir("picture", dump.parent, "--json", "--axis", "x").stdout)
    rho = sphere(*CELLS)["rho"].astype(np.float32)
    assert told["picture"] == str(dump.with_name("analysis-000005-density-x.png"))
    assert told["file"] == str(dump) and told["variable"] == "density"
    assert rho[told["cell"]].max() == rho.max()
    assert told["largest_over_mean_density"] == pytest.approx(rho.max() / rho.mean(dtype=float))


@drawing
def test_a_visualisation_file_is_drawn_as_what_it_is(tmp_path: Path) -> None:
    path = write_scaled(tmp_path / "potential-000005", np.arange(64, dtype=np.uint8).reshape(4, 4, 4))
    out = tmp_path / "cloud.svg"
    assert weir("picture", path, "-o", out).exit_code == 0
    text = out.read_text()
    assert "Mean potential along z" in text and "potential (0 to 255)" in text
    assert "times the mean" not in text
    density = path.rename(tmp_path / "density-000005")
    assert weir("picture", density, "-o", out).exit_code == 0
    assert "Mean log density along z" in out.read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--variable", "vorticity"), "use one of density"),
        (("--variable", "speed", "--variable", "density"), "of a dump of the gas cloud at most 1"),
        (("--axis", "w"), "use x, y or z"),
        (("--cell", "8"), "use 0 to 7"),
        (("--at", "0.5"), "no use for --at (it takes --variable, --axis, --cell, --as-stored)"),
        (("-o", "cloud.bmp"), "use .png, .svg, .pdf, .html"),
        (("-o", "nowhere/cloud.png"), "choose another --out"),
    ],
)
@drawing
def test_wrong_wishes_are_refused_in_one_line(
    dump: Path, arguments: tuple[str, ...], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(dump.parent)
    expect_refused(dump, arguments, said)


@pytest.mark.parametrize("verb", ["picture", "show"])
def test_a_bad_dump_is_refused_in_one_line(tmp_path: Path, verb: str, request: pytest.FixtureRequest) -> None:
    if verb == "picture":
        request.getfixturevalue("draws")
    field = np.ones(CELLS)
    field[1, 2, 3] = np.nan
    for path in (tmp_path / "nowhere", write_state(tmp_path / "restart", {"rho": field})):
        done = weir(verb, path)
        assert done.exit_code == 2 and done.stdout == "" and len(done.stderr.splitlines()) == 1
        assert json.loads(weir(verb, path, "--json").stdout)["error"]["exit_code"] == 2


def test_without_the_package_that_draws_it_says_what_to_install(
    dump: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expect_advice_without_what_draws(dump, monkeypatch)


def test_show_tells_the_header_and_every_range(dump: Path) -> None:
    text = weir("show", dump).stdout
    assert "16 x 12 x 8 cells, step 5, time 0.25, gamma 1.5" in text
    for name in ("rho (density)", "u (velocity along x)", "phi (potential)"):
        assert name in text
    told = json.loads(weir("show", dump, "--json").stdout)
    rho = sphere(*CELLS)["rho"].astype(np.float32)
    assert told["cells"] == [16, 12, 8] and told["byte_order"] == "little"
    assert told["variables"]["rho"] == pytest.approx(
        {"minimum": rho.min(), "mean": rho.mean(dtype=float), "maximum": rho.max()}
    )
