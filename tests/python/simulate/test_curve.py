"""Times for sizes, as models have them."""

import pytest

from toy_machine import TOY, toy
from weir.errors import WeirError
from weir.simulate.curve import curve_of, parse_curve
from weir.simulate.model import parse_machine
from weir.simulate.write import machine_text

TEXT = "8 B 1 us, 1 KiB 2 us, 2 KiB 4 us"


def test_times_lie_on_lines_between_the_points() -> None:
    curve = parse_curve(TEXT)
    assert curve(0) == curve(8) == 1e-6
    assert curve(1024 + 512) == pytest.approx(3e-6)
    assert curve(4096) == pytest.approx(8e-6), "as steep as before"
    assert curve_of([(100, 2e-6), (10, 3e-6)])(1000) == 0, "never less than nothing"
    assert parse_curve("1 MiB 3 ms")(7) == 3e-3


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("8 B", "'8 B' is not a size and a time"),
        ("8 B 1 us, 8 B 2 us", "its sizes do not rise"),
        ("8 B 1 us,", "'' is not a size and a time"),
        ("8 us 1 us", "the unit 'us' does not fit"),
        ("8 B 1 KiB", "the unit 'KiB' does not fit"),
        (7, "'7' is not a size and a time"),
    ],
)
def test_what_is_none_is_refused(text: str | int, why: str) -> None:
    with pytest.raises(WeirError) as told:
        parse_curve(text)
    assert why in str(told.value)


def test_a_model_has_them() -> None:
    given = f'[network]\none_within = {{ value = "{TEXT}", source = "measured: PingPong", n = 5 }}'
    machine = parse_machine(TOY.read_text().replace("[network]", given), "toy.toml")
    points = ((8, 1e-6), (1024, 2e-6), (2048, 4e-6))
    assert machine.as_core()["network"]["one_within_points"] == points
    assert machine.as_core()["network"]["both_within_points"] == points, "if there is no other"
    assert "fresh_within_points" not in machine.as_core()["network"]
    again = parse_machine(machine_text(machine), "again.toml")
    assert again.curve("network", "both_within") == parse_curve(TEXT)
    assert toy().curve("network", "one_within") is None
    with pytest.raises(WeirError, match=r"toy.toml:\d+: '3 us' is not times for sizes"):
        parse_machine(TOY.read_text().replace("[network]", given.replace(TEXT, "3 us")), "toy.toml")
