import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weir import units
from weir.errors import WeirError


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("64KiB", 65536),
        ("1MB", 10**6),
        ("1.5MiB", 1572864),
        ("0B", 0),
        ("0", 0),
        ("2 GiB", 2**31),
        ("3kB", 3000),
    ],
)
def test_sizes_are_read(text: str, size: int) -> None:
    assert units.parse_bytes(text) == size


@pytest.mark.parametrize("text", ["64", "64K", "64 kib", "1.5B", "", "-1MiB", "1e6B", "KiB", "12XB"])
def test_what_is_no_size_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(WeirError) as caught:
        units.parse_bytes(text)
    assert '"' in caught.value.suggestion or "use one of" in caught.value.suggestion


def test_an_ambiguous_unit_names_both_meanings() -> None:
    with pytest.raises(WeirError, match=r"64kB.*1,000.*64KiB.*1,024"):
        units.parse_bytes("64K")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("30s", 30), ("2m", 120), ("1h30m", 5400), ("250ms", 0.25), ("1.5h", 5400), ("10us", 1e-5)],
)
def test_times_are_read(text: str, seconds: float) -> None:
    assert units.parse_seconds(text) == pytest.approx(seconds, rel=1e-12)


@pytest.mark.parametrize("text", ["30", "1:30:00", "", "s", "30m1h", "5 parsecs", "1h1h", "-3s"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(WeirError, match="is not a time"):
        units.parse_seconds(text)


def test_shares_are_read_and_bare_fractions_refused() -> None:
    assert units.parse_share("5%") == 0.05
    with pytest.raises(WeirError, match="is not a share"):
        units.parse_share("0.05")


@given(st.integers(min_value=0, max_value=2**63))
def test_a_size_spelt_is_the_size_read(size: int) -> None:
    assert units.parse_bytes(units.spell_bytes(size)) == size


@given(st.one_of(st.integers(0, 10**7).map(float), st.floats(1e-9, 59.0)))
def test_a_time_spelt_is_the_time_read(seconds: float) -> None:
    assert units.parse_seconds(units.spell_seconds(seconds)) == pytest.approx(seconds, rel=1e-12)


@given(st.floats(1e-12, 1e15))
def test_significant_digits_stay_close_and_plain(value: float) -> None:
    text = units.significant(value)
    assert "e" not in text
    assert math.isclose(float(text), value, rel_tol=0.006)


@pytest.mark.parametrize(
    ("unit", "key", "value", "text"),
    [
        ("B/s", "bandwidth_bytes_per_s", 2730 * 2**20, "2730 MiB/s"),
        ("B/s", "bandwidth_bytes_per_s", 12345 * 2**20, "12,300 MiB/s"),
        ("B", "message_bytes", 2**21, "2.00 MiB"),
        ("1/s", "operations_per_s", 123456.0, "123,000 operations/s"),
        ("1/s", "cell_updates_per_s", 2.5, "2.50 cell updates/s"),
        ("flop/s", "flop_per_s", 12.34e9, "12.3 Gflop/s"),
        ("UP/s", "updates_per_s", 5e6, "0.00500 GUP/s"),
        ("us", "latency_us", 1.5, "1.50 µs"),
        ("s", "elapsed_s", 0.25, "0.250 s"),
        ("1", "messages", 1234567.0, "1,234,567 messages"),
        ("1", "load", 0.5, "0.500 load"),
        ("K", "temperature_k", 300.0, "300 K"),
    ],
)
def test_quantities_are_shown_by_their_unit_alone(unit: str, key: str, value: float, text: str) -> None:
    shown = units.shown_in(unit, key)
    assert f"{shown.show(value)} {shown.unit}" == text


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        (units.format_bytes(65536), "64 KiB"),
        (units.format_bytes(1572864), "1.5 MiB"),
        (units.format_bytes(10**6, decimal=True), "1 MB"),
        (units.format_bytes(12), "12 B"),
        (units.format_bytes(2**70), "1050000 PiB"),
        (units.format_bandwidth(2730 * 2**20), "2730 MiB/s"),
        (units.format_bandwidth(1e6, decimal=True), "1.00 MB/s"),
        (units.format_seconds(0.0213), "21.3 ms"),
        (units.format_seconds(99.96), "1m 40s"),
        (units.format_seconds(3600), "1h"),
        (units.format_seconds(0), "0 ns"),
        (units.format_share(0.0421), "4.2 %"),
        (units.format_share(1.0), "100 %"),
    ],
)
def test_numbers_for_people_carry_their_unit(shown: str, text: str) -> None:
    assert shown == text


def test_no_difference_has_no_sign() -> None:
    assert [units.signed_percent(one) for one in (-0.001, 0.0, 0.04, -0.4)] == ["0 %", "0 %", "+4 %", "-40 %"]
