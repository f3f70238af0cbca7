"""File names hold any byte but two: none of them may steer a terminal or spoil a page."""

import io
import os
from dataclasses import replace

import pytest

import made_trace
from made_trace import lane, trace
from weir.answers.answer import Answer
from weir.cli._streams import print_lines
from weir.cli.explain import show, show_all
from weir.explain.first_screen import explained
from weir.explain.page.render import render
from weir.explain.page.selection import Files
from weir.explain.summarise import summarise
from weir.printable import printable
from weir.trace.exporters.csv import Csv
from weir.trace.model import Trace
from weir.trace.names import File

STRANGE = os.fsdecode(b"/data/a\xff\x1b[31m\nb")
SHOWN = r"a\xff\x1b[31m\nb"


@pytest.fixture
def strange() -> Trace:
    files = (made_trace.FILES[0], File(STRANGE, 0), *made_trace.FILES[2:])
    made = trace(lane(0, [("pwrite", 1, 0, 5, 0, 8, 8, 0), ("pwrite", 2, 5, 6, 0, 8, 8, 0)]))
    return replace(made, files=files, command="app \x1b]0;title\x07", notes=("about \x9b1m",))


def test_what_steers_is_escaped_and_all_else_stays() -> None:
    assert printable(STRANGE) == f"/data/{SHOWN}"
    assert printable("a\x85\u202eb\u2028\t\udfff") == r"a\x85\u202eb\u2028\t\udfff"
    for text in ("plain", "Größe µs  5\u00a0%", "数据/файл", r"C:\n"):
        assert printable(text) == text


def test_on_a_terminal(strange: Trace, capsys: pytest.CaptureFixture[str]) -> None:
    summary = summarise(strange)
    found = explained(summary)
    often = replace(
        found.screen, rows=(Answer("reopening", (STRANGE,), None, action="keep-open", words={"opens": "9"}),)
    )
    show(summary, replace(found, screen=often), "weir explain T --all")
    show_all(summary, replace(found, answers=list(often.rows)))
    print_lines([STRANGE])
    out = capsys.readouterr().out
    assert out.count(SHOWN) == 4 and r"app \x1b]0;title\x07" in out and r"Note: about \x9b1m" in out
    assert "\x1b" not in out and out.encode()


def test_in_the_page(strange: Trace) -> None:
    page = render(summarise(strange), None)
    assert SHOWN in page and r"app \x1b]0;title\x07" in page
    assert not {"\x1b", "\x07", "\x9b", "\udcff"} & set(page)
    assert (f"/data/{SHOWN}", 0) in Files(strange).names()


def test_in_a_table_for_spreadsheets_names_are_text(strange: Trace) -> None:
    out = io.BytesIO()
    Csv().write(strange, out)
    assert rb"/data/a\xff\x1b[31m\nb" in out.getvalue()
