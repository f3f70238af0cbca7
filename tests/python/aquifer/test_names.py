"""Names of datasets and of groups of times."""

import pytest

from weir.aquifer.names import Quantity, Time, velocity


@pytest.mark.parametrize(
    ("stored", "name", "words", "unit"),
    [
        ("Liquid_Pressure [Pa]", "Liquid_Pressure", "liquid pressure", "Pa"),
        ("Liquid X-Velocity [m_per_d]", "Liquid X-Velocity", "liquid x-velocity", "m/d"),
        ("Liquid_Saturation", "Liquid_Saturation", "liquid saturation", ""),
        ("Total_Tracer_2 [M]", "Total_Tracer_2", "total tracer 2", "M"),
        ("Material_ID", "Material_ID", "material ID", ""),
        ("[Pa]", "[Pa]", "[pa]", ""),
        ("a [b", "a [b", "a [b", ""),
        ("x\x1b[0m [\n]", "x\x1b[0m", r"x\x1b[0m", r"\n"),
    ],
)
def test_a_quantity_has_a_name_and_a_unit(stored: str, name: str, words: str, unit: str) -> None:
    found = Quantity(stored)
    assert (found.name, found.words, found.unit) == (name, words, unit)


@pytest.mark.parametrize(
    ("group", "value", "unit"),
    [
        ("Time:  1.00000E+00 y", 1, "y"),
        ("Time: -1.50000E+01 d", -15, "d"),
        ("Time:  2.50000D-01 h", 0.25, "h"),
        ("Time:  1.00000-100 s", 1e-100, "s"),
        ("Time  3.0E2 m", 300, "m"),
        ("Time:  1.00000E+00", 1, ""),
    ],
)
def test_a_time_is_read_as_fortran_writes_it(group: str, value: float, unit: str) -> None:
    time = Time.of(group)
    assert time is not None and (time.value, time.unit) == (value, unit)


@pytest.mark.parametrize("group", ["Coordinates", "Time:", "Time: soon y", "Time:  NaN y", "Provenance"])
def test_other_groups_are_no_times(group: str) -> None:
    assert Time.of(group) is None


def test_a_year_has_365_days() -> None:
    for unit, seconds in (("s", 1), ("h", 3600), ("d", 86400), ("y", 31_536_000), ("m", None)):
        assert Time("", 1, unit).seconds == seconds


def test_a_velocity_is_three_datasets_the_liquids_first() -> None:
    gas, liquid = (
        tuple(f"{phase} {axis}-Velocity [m_per_d]" for axis in "XYZ") for phase in ("Gas", "Liquid")
    )
    assert velocity([*gas, *liquid]) == liquid
    assert velocity(gas) == gas
    assert velocity(liquid[:2]) is None
