"""What the aquifer's files say, computed once more with NumPy from the published formulae."""

import math
from pathlib import Path
from typing import Any

import pytest

from ..real_core import run_core
from .outputs import Arrays, files_in

numpy = pytest.importorskip("numpy")

CELLS = (12, 10, 8)
EDGES = (10.0, 8.0, 1.5)
DAY_S = 86400.0
DENSITY, GRAVITY, VISCOSITY = 998.2, 9.80665, 1.002e-3
CONDUCTIVITY = 1e-4
VARIABLES = [
    *("Liquid_Pressure [Pa]", "Liquid_Saturation", "Total_Tracer [M]", "Material_ID"),
    *(f"Liquid {axis}-Velocity [m_per_d]" for axis in "XYZ"),
]


def run_in(folder: str, *arguments: str, ranks: int = 2) -> dict[str, Arrays]:
    """The files of an analytic run."""
    Path(folder).mkdir()
    box = ("--cells", "x".join(map(str, CELLS)), "--edges", "x".join(map(str, EDGES)))
    analytic = ("--model", "analytic", "--wait", "0", "--dir", folder)
    run_core("aquifer", *box, *analytic, *arguments, ranks=ranks).ended(0)
    return files_in(Path(folder))


def fortran_e(value: float) -> str:
    """As es13.5 of Fortran writes it."""
    return f"{value:.5E}".rjust(13)


def centres() -> Any:
    """x, y and z of the cells, as the files' arrays are shaped."""
    along = [(numpy.arange(n) + 0.5) * edge for n, edge in zip(CELLS, EDGES, strict=True)]
    return numpy.meshgrid(*along, indexing="ij")


def exponential_integral(u: float) -> float:
    """E1(u): its series near 0, else its continued fraction."""
    if u < 1:
        terms = ((-1) ** (k + 1) * u**k / (k * math.factorial(k)) for k in range(1, 40))
        return -0.57721566490153286 - math.log(u) + math.fsum(terms)
    fraction = 0.0
    for k in range(400, 0, -1):
        fraction = k / (1 + k / (u + fraction))
    return math.exp(-u) / (u + fraction)


def ogata_banks(x: float, v: float, d: float, t: float) -> float:
    spread = 2 * math.sqrt(d * t)
    return 0.5 * (math.erfc((x - v * t) / spread) + math.exp(v * x / d) * math.erfc((x + v * t) / spread))


@pytest.mark.parametrize("files", ["per-step", "one"])
def test_the_tree_of_an_output_is_that_of_pflotran(place: Path, files: str) -> None:
    found = run_in("out", "--steps", "30", "--step-days", "12.5", "--files", files)
    outputs = [arrays for name, arrays in found.items() if "input" not in name]
    assert len(outputs) == (1 if files == "one" else 31)
    groups = set()
    for arrays in outputs:
        texts = {name: array for name, array in arrays.items() if name.startswith("Provenance")}
        assert len(texts) == 11
        assert texts.pop("Provenance/PFLOTRAN/pflotran_input_file") == [b"weir-core aquifer".ljust(32)]
        assert all(text == [b"unknown"] for text in texts.values())
        for axis, n, edge in zip("XYZ", CELLS, EDGES, strict=True):
            edges = arrays[f"Coordinates/{axis} [m]"]
            assert edges.dtype == numpy.dtype("<f8")
            assert numpy.array_equal(edges, numpy.arange(n + 1) * edge)
        for name, array in arrays.items():
            group, _, variable = name.partition("/")
            if group in {"Coordinates", "Provenance"}:
                continue
            groups.add(group)
            assert variable in VARIABLES
            assert array.shape == CELLS
            assert array.dtype == numpy.dtype("<i4" if variable == "Material_ID" else "<f8")
    assert groups == {f"Time:{fortran_e(12.5 * step)} d" for step in range(31)}
    fields = sum(name.startswith("Time") for arrays in outputs for name in arrays)
    assert fields == 31 * len(VARIABLES)


def test_material_is_in_layers(place: Path) -> None:
    found = run_in("out", "--steps", "0", "--permuted")
    (material,) = (array for name, array in found["aquifer-000.h5"].items() if name.endswith("Material_ID"))
    lower = numpy.arange(CELLS[2]) < CELLS[2] / 2
    assert numpy.array_equal(material, numpy.broadcast_to(numpy.where(lower, 1, 2), CELLS))


def test_analytic_states_are_those_of_the_formulae(place: Path) -> None:
    found = run_in("out", "--steps", "2", "--step-days", "3")
    x, y, z = centres()
    length, width, height = (n * edge for n, edge in zip(CELLS, EDGES, strict=True))
    west, east = 0.8 * height, 0.55 * height
    slope = (west - east) / length
    rate = 0.3 * CONDUCTIVITY * slope * width * 0.5 * (west + east)
    transmissivity, storage = CONDUCTIVITY * height, 1e-5 * height
    at_x, at_y = (3 * CELLS[0] // 4 + 0.5) * EDGES[0], (CELLS[1] // 2 + 0.5) * EDGES[1]
    distance = numpy.maximum(numpy.hypot(x - at_x, y - at_y), 0.2 * min(EDGES[:2]))
    in_pores = slope * CONDUCTIVITY / 0.3
    for step in range(3):
        time = step * 3 * DAY_S
        fields = {
            name.partition("/")[2]: array
            for name, array in found[f"aquifer-00{step}.h5"].items()
            if name.startswith("Time")
        }
        head = west - slope * x - z
        flow = [numpy.full(CELLS, CONDUCTIVITY * slope), numpy.zeros(CELLS), numpy.zeros(CELLS)]
        tracer = numpy.zeros(CELLS)
        if step > 0:
            u = distance**2 * storage / (4 * transmissivity * time)
            head = head - rate / (4 * math.pi * transmissivity) * numpy.vectorize(exponential_integral)(u)
            inwards = rate / (2 * math.pi * transmissivity * distance) * numpy.exp(-u)
            flow[0] = flow[0] - CONDUCTIVITY * inwards * (x - at_x) / distance
            flow[1] = flow[1] - CONDUCTIVITY * inwards * (y - at_y) / distance
            v, d = in_pores / 1.25, (1e-9 + 2 * in_pores) / 1.25
            tracer = numpy.vectorize(ogata_banks)(x, v, d, time)
        pressure = 101325 + DENSITY * GRAVITY * head
        numpy.testing.assert_allclose(fields["Liquid_Pressure [Pa]"], pressure, rtol=1e-10)
        numpy.testing.assert_array_equal(fields["Liquid_Saturation"], 1)
        numpy.testing.assert_allclose(fields["Total_Tracer [M]"], tracer, rtol=1e-9, atol=1e-12)
        for axis, wanted in zip("XYZ", flow, strict=True):
            velocity = fields[f"Liquid {axis}-Velocity [m_per_d]"]
            numpy.testing.assert_allclose(velocity, wanted * DAY_S, rtol=1e-9, atol=1e-12)


def test_the_input_lists_each_cell_once_in_any_order(place: Path) -> None:
    plain = run_in("plain", "--steps", "0")["aquifer-input.h5"]
    mixed = run_in("mixed", "--steps", "0", "--permuted", ranks=1)["aquifer-input.h5"]
    everything = numpy.arange(1, math.prod(CELLS) + 1)
    for ids, values in (("Materials/Cell Ids", "Materials/Material Ids"), ("Cell Ids", "Permeability")):
        assert numpy.array_equal(plain[ids], everything)
        assert not numpy.array_equal(mixed[ids], everything)
        assert numpy.array_equal(numpy.sort(mixed[ids]), everything)
        assert numpy.array_equal(mixed[values][numpy.argsort(mixed[ids])], plain[values])
    assert not numpy.array_equal(mixed["Materials/Cell Ids"], mixed["Cell Ids"])
    nx, ny, nz = CELLS
    well = [1 + 3 * nx // 4 + nx * (ny // 2 + ny * k) for k in range(nz)]
    assert plain["Regions/Well/Cell Ids"].tolist() == well
    source = plain["Regions/Source/Cell Ids"]
    assert len(set(source)) == len(source) and source.min() >= 1 and source.max() <= everything[-1]


def test_permeability_is_lognormal_and_correlated(place: Path) -> None:
    Path("out").mkdir()
    arguments = ("--cells", "80x80x2", "--edges", "10x10x1", "--spread", "0.5", "--correlation", "50")
    run_core("aquifer", "--dir", "out", "--steps", "0", "--model", "analytic", *arguments).ended(0)
    permeability = files_in(Path("out"))["aquifer-input.h5"]["Permeability"]
    mean = math.log(CONDUCTIVITY * VISCOSITY / (DENSITY * GRAVITY))
    deviation = ((numpy.log(permeability) - mean) / 0.5).reshape(2, 80, 80)[0]
    assert abs(deviation.mean()) < 0.4
    assert deviation.std() == pytest.approx(1, abs=0.25)
    for lag in (2, 5):
        wanted = math.exp(-0.5 * (lag * 10 / 50) ** 2)
        for a, b in ((deviation[lag:], deviation[:-lag]), (deviation[:, lag:], deviation[:, :-lag])):
            assert (a * b).mean() / deviation.var() == pytest.approx(wanted, abs=0.2)


@pytest.mark.parametrize(("steps", "told"), [(1, []), (40, ["no-known-solution"])])
def test_a_run_tells_that_it_was_not_compared_with_the_known_solution(
    tmp_path: Path, steps: int, told: list[str]
) -> None:
    """After long pumping, the well is felt at the sides."""
    box = ("--cells", "24x24x1", "--edges", "40x40x5", "--step-days", "4e-3", "--steps", str(steps))
    done = run_core("aquifer", "--problem", "theis", *box, "--model", "flow", "--dir", str(tmp_path), ranks=1)
    if done.code == 2:
        pytest.skip("this build has no flow")
    run = next(line for line in done.ended(0).lines if line.get("phase") == "run")
    assert (run["details"]["known_solution"] is None) == bool(told)
    assert [one["code"] for one in run["warnings"]] == told
