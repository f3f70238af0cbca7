"""The page: whole, small, offline, and honest with and without a timeline."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from made_trace import lane
from made_trace import trace as made
from weir.errors import WeirError
from weir.explain.page.render import write_page
from weir.explain.summarise import summarise
from weir.explain.summary import FileRow, Head, MarkRow, RankRow, TraceSummary
from weir.trace.model import Lost, Trace

from .synthetic import trace

LOADED = re.compile(
    r"""(?:src|href)\s*=\s*["'](?!#|data:)|@import|url\((?!#|data:)|https?://""", re.IGNORECASE
)
DATA = re.compile(r'<script type="text/plain".*')
FIVE_MB = 5_000_000


def page_of(folder: Path, summary: TraceSummary, some: Trace | None = None) -> str:
    path = folder / "new" / "page.html"
    assert write_page(summary, some, path) == path.stat().st_size
    return path.read_text(encoding="utf-8")


def test_a_million_calls_are_five_megabytes_at_most_and_load_nothing(tmp_path: Path) -> None:
    some = trace(8, 125_000)
    page = page_of(tmp_path, summarise(some), some)
    assert len(page.encode()) < FIVE_MB
    assert not LOADED.search(DATA.sub("", page))
    assert "in runs of" not in page, "all of them are held"


class _Tags(HTMLParser):
    """Tags that are open, and tables with as many cells in each row as in the first."""

    void = frozenset(("meta", "input", "br", "line", "rect", "image", "path"))

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[list[int]] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "table":
            self.cells.append([])
        if tag == "tr":
            self.cells[-1].append(0)
        if tag in ("td", "th"):
            self.cells[-1][-1] += 1
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.void:
            assert self.open.pop() == tag


def test_every_element_ends_and_every_table_is_one(tmp_path: Path) -> None:
    some = trace(3, 2000)
    tags = _Tags()
    tags.feed(page_of(tmp_path, summarise(some), some))
    assert tags.open == []
    assert len(tags.cells) >= 5
    assert all(len(set(rows)) == 1 for rows in tags.cells)


def test_names_cannot_become_elements(tmp_path: Path) -> None:
    some = made(lane(0, [("pwrite", 1, 0, 10, 0, 8, 8, 0)]))
    bad = "</script><b>&"
    some = replace(some, files=(some.files[0], some.files[1]._replace(name=f"/x/{bad}"), *some.files[2:]))
    some = replace(some, command=f"app {bad}", notes=(bad,))
    page = page_of(tmp_path, summarise(some), some)
    assert "<b>" not in page and "&lt;b&gt;&amp;" in page


def test_tables_alone_make_a_page(tmp_path: Path) -> None:
    head = Head(
        "log", "Darshan log", "app -n 3", 1, ("a", "b"), 1, 0.0, 2.0, 10, 0, (), cannot_tell=("No seeks.",)
    )
    ranks = (RankRow(0, 2**20, 0, 0, 0.5, 0.0, 0.1, 0.0),)
    files = (FileRow("/data/x", "", "POSIX", 1, 1, 5, 0, 4, 2**20, 0, None, 0.5, 0.0, 0.1),)
    page = page_of(
        tmp_path, TraceSummary(head, ranks=ranks, files=files, marks=(MarkRow("dump", 3, 1.5, 0.7),))
    )
    assert "<script" not in page and "<canvas" not in page
    verdict = ("app -n 3", "1 rank on 2 hosts", "2.00 s", "nothing stands out; 30 % of the run in I/O")
    assert all(f"<span>{part}" in page for part in verdict)
    assert "<dd>10 calls recorded</dd>" in page and "<dt>read</dt><dd>1 MiB</dd>" in page
    assert "No seeks." in page and "1.50 s" in page and "dump" in page


def test_numbers_are_of_the_calls_recorded_where_others_were_only_counted(tmp_path: Path) -> None:
    some = made(lane(0, [("pwrite", 1, 0, 10, 0, 8, 8, 0)]))
    lost = replace(some, run_ns=40, lost=(Lost("POSIX pwrite", 3, 24, 30),))
    page = page_of(tmp_path, summarise(lost), lost)
    assert "<span>40.0 ns" in page and "25 % of the run in the I/O calls recorded" in page
    assert "<dd>1 call recorded, 3 more only counted</dd>" in page
    assert "<dt>written, as recorded</dt><dd>8 B</dd>" in page
    page = page_of(tmp_path, summarise(cut := replace(lost, end_known=False)), cut)
    assert "<span>at least 40.0 ns" in page and "of the run in" not in page


def test_a_trace_without_calls_makes_a_page(tmp_path: Path) -> None:
    some = made(lane(0, []))
    page = page_of(tmp_path, summarise(some), some)
    assert "<canvas" not in page and "</html>" in page


def test_of_many_ranks_those_that_were_longest_are_shown(tmp_path: Path) -> None:
    some = trace(100, 20)
    page = page_of(tmp_path, summarise(some), some)
    assert "The other 68 ranks were for less time in I/O calls" in page
    assert "rank 96" in page, "the heat map names some of all"


def test_a_path_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    some = made(lane(0, [("pwrite", 1, 0, 10, 0, 8, 8, 0)]))
    (tmp_path / "file").write_text("")
    with pytest.raises(WeirError, match="cannot write"):
        write_page(summarise(some), some, tmp_path / "file" / "page.html")


def test_where_the_time_went_is_a_picture_of_the_first_screen_and_drawn_once(tmp_path: Path) -> None:
    some = trace(3, 2000)
    summary = summarise(some)
    page = page_of(tmp_path, summary, some)
    header = page[: page.index("</header>")]
    assert summary.profile.phases and "Shares of each phase" in header
    assert page.count("Shares of each phase") == 1
    many = replace(summary.profile, phases=summary.profile.phases * 7)
    page = page_of(tmp_path / "many", replace(summary, profile=many))
    assert "Shares of each phase" not in page[: page.index("</header>")]
    assert page.count("Shares of each phase") == 1
