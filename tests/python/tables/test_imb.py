"""The table in IMB's columns."""

from network_samples import network_row
from rows import row
from weir.tables.table import make_tables

COLUMNS = ["function", "ranks", "#bytes", "#repetitions", "t_min", "t_max", "t_avg", "MB/s", "samples"]


def test_megabytes_are_those_of_the_version() -> None:
    cells = {}
    for version in ("2.3", "2021"):
        (table,) = make_tables("imb", [network_row("Sendrecv", 1 << 20, [100.0] * 6, imb=version)])
        cells[version] = dict(zip((column.heading for column in table.columns), table.rows[0], strict=True))
        assert f"MB = {'2^20 B' if version == '2.3' else '10^6 B'}" in table.caption
    # 2 MiB in 100 µs.
    assert cells["2.3"]["MB/s"] == "20,000" or cells["2.3"]["MB/s"] == "20000"
    assert cells["2021"]["MB/s"] in ("21,000", "21000", "20972", "20,972")
    assert [cells["2021"][name] for name in COLUMNS[:7]] == [
        "Sendrecv",
        "2",
        "1048576",
        "4800",
        "90.00",
        "100.00 [100.00, 100.00]",
        "95.00",
    ]


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
    assert table.rows[0][5] == "1.00 (no interval)"
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
    assert [row[7:10] for row in table.rows] == [("1.50", "1.60", "68.75"), ("", "", "")]
    assert "t_ovrl" in table.notes[0]
    (plain,) = make_tables("imb", [network_row("Bcast", 8, [1.0] * 6)])
    assert "t_pure" not in [column.heading for column in plain.columns] and not plain.notes
