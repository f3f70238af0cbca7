"""The table in IMB's columns."""

from dataclasses import replace

from network_samples import network_row
from rows import row
from weir.network.tables.imb import NOT_KEPT
from weir.tables.table import make_tables

COLUMNS = ["function", "ranks", "#bytes", "#repetitions", "t_min", "t_max", "t_avg", "MB/s", "samples"]


def test_megabytes_are_those_of_the_version() -> None:
    cells = {}
    for version in ("2.3", "2021"):
        (table,) = make_tables("imb", [network_row("Sendrecv", 1 << 20, [100.0] * 6, imb=version)])
        cells[version] = dict(zip((column.heading for column in table.columns), table.rows[0], strict=True))
        assert f"MB = {'2^20 B' if version == '2.3' else '10^6 B'}" in table.caption
    # 2 MiB in the 125 µs of the mean call.
    assert cells["2.3"]["MB/s"] == "16000"
    assert cells["2021"]["MB/s"] == "16800"
    assert [cells["2021"][name] for name in COLUMNS[:7]] == [
        "Sendrecv",
        "2",
        "1048576",
        "4800",
        "100.00",
        "125.00 [125.00, 125.00]",
        "110.00",
    ]
    assert cells["2021"]["median"] == "100.00 [100.00, 100.00]"


def test_imbs_columns_are_by_its_rule_and_the_median_stands_beside() -> None:
    """A disturbed call counts in IMB's mean, and not in our median."""
    (table,) = make_tables("imb", [network_row("Allreduce", 8, [2.0, 2.2, 2.1, 2.0, 2.3, 2.2])])
    cells = dict(zip((column.heading for column in table.columns), table.rows[0], strict=True))
    assert cells["t_max"].startswith("2.69 [") and cells["t_avg"] == "2.37" and cells["t_min"] == "2.15"
    assert cells["median"].startswith("2.15 [")
    assert "by IMB's rule" in table.caption and NOT_KEPT not in table.notes


def test_samples_without_means_say_so() -> None:
    earlier = network_row("Allreduce", 8, [2.0] * 6)
    kept = [one for one in earlier.metrics if not one.metric.key.startswith("imb_")]
    (table,) = make_tables("imb", [replace(earlier, metrics=kept)])
    cells = dict(zip((column.heading for column in table.columns), table.rows[0], strict=True))
    assert (cells["t_min"], cells["t_max"], cells["t_avg"]) == ("", "unknown", "")
    assert cells["median"] == "2.00 [2.00, 2.00]"
    assert table.notes == (NOT_KEPT,)


def test_functions_stay_in_the_studys_order_and_sizes_rise() -> None:
    rows = [
        network_row("PingPong", 8, [1.0] * 6),
        network_row("Bcast", 8, [1.0] * 6),
        network_row("PingPong", 0, [1.0] * 3),
    ]
    (table,) = make_tables("imb", [row("write", 100), *rows])
    assert [(cells[0], cells[2]) for cells in table.rows] == [
        ("PingPong", "0"),
        ("PingPong", "8"),
        ("Bcast", "8"),
    ]
    assert table.rows[0][5] == "1.25 (no interval)"
    assert table.rows[0][7] == "", "no bytes have no bandwidth"


def test_disturbed_calls_are_told_apart() -> None:
    late = ((1e-6, 99), (1e-4, 1))
    (table,) = make_tables("imb", [network_row("PingPong", 8, [2.0] * 6, histogram=late)])
    assert table.rows[0][-1] == "49 %"
    assert table.data["calls"][0]["disturbed_calls"] == 6
    assert make_tables("imb", [row("write", 100)]) == []


def test_calls_in_two_parts_have_imbs_further_columns() -> None:
    (table,) = make_tables(
        "imb", [network_row("Iallreduce", 8, [2.0] * 6), network_row("Bcast", 8, [1.0] * 6)]
    )
    headings = [column.heading for column in table.columns]
    assert headings[7:10] == ["t_pure", "t_CPU", "overlap"]
    assert [row[7:10] for row in table.rows] == [("1.60", "1.70", "70.00"), ("", "", "")]
    assert "t_ovrl" in table.notes[0]
    (plain,) = make_tables("imb", [network_row("Bcast", 8, [1.0] * 6)])
    assert "t_pure" not in [column.heading for column in plain.columns] and not plain.notes
