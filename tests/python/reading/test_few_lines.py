"""Outputs of so few lines that the version alone tells what a MB is."""

import pytest

from reading.made_output import ONE_WAY, Table, output, rated
from weir.reading.readers.imb import Imb

MIB = float(1 << 20)


@pytest.mark.parametrize(
    ("version", "megabyte"), [("3.2.2", MIB), ("4.1", MIB), ("2018", 1e6), ("2021.3", 1e6)]
)
def test_of_one_line_a_megabyte_is_that_of_the_version(version: str, megabyte: float) -> None:
    rows = rated([1 << 20], [114.95], megabyte=megabyte)
    (launch,) = Imb().read(output(Table("PingPong", ONE_WAY, rows), version=version))
    (sample,) = launch.samples
    found = {metric.key: metric.value for metric in sample.metrics}
    assert found["bandwidth_bytes_per_s"] == pytest.approx((1 << 20) / 114.95e-6, rel=1e-5)
