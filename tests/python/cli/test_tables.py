"""Tables on terminals: no cell is cut off, however narrow they are."""

import pytest

from weir.cli import _streams
from weir.cli._streams import print_table

HEADINGS = ["phase", ">ranks", "layout", "~order"]
ROWS = [["write-all", "4", "file per process", "sequential (collective) and more"], ["", "16", "shared", ""]]
CELLS = [cell for row in ROWS for cell in row if cell]


@pytest.mark.parametrize("width", [40, 49, 53, 54, 80, 200])
def test_no_cell_is_cut_off(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setattr(_streams, "_width", lambda: width)
    print_table(HEADINGS, ROWS)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= width
    said = " ".join(" ".join(lines).split())
    assert [cell for cell in CELLS for word in cell.split() if word not in said] == []
    assert (lines[0] == "write-all") == (width < 50)


def test_where_a_table_has_no_room_each_cell_has_its_heading(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_streams, "_width", lambda: 40)
    print_table(HEADINGS, ROWS, "how it is made")
    assert capsys.readouterr().out.splitlines() == [
        "how it is made",
        "write-all",
        "  ranks 4 · layout file per process",
        "  order sequential (collective) and more",
        "  ranks 16 · layout shared",
    ]


@pytest.mark.parametrize("title", ["", "how it is made", "a title that is longer than the table " * 3])
@pytest.mark.parametrize("rows", [ROWS, [["µs · 2", "", "日本", "x"], ["a", "1 000", "b", "c"]], []])
def test_a_table_with_room_is_as_rich_draws_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, title: str, rows: list[list[str]]
) -> None:
    print_table(HEADINGS, rows, title)
    printed = capsys.readouterr().out
    monkeypatch.setattr(_streams, "_plain_table", lambda *_: None)
    print_table(HEADINGS, rows, title)
    assert printed == capsys.readouterr().out and HEADINGS[0] in printed
