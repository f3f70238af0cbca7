"""The page for print: all of it is on the page, and its words are words."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from rows import row
from synthetic_run import World, write_run
from verbs import weir_here
from weir.answers.answer import Caveat, Certainty, Changes
from weir.answers.quantities import quantity_answer
from weir.answers.screen import Screen
from weir.figures.text_width import text_width, wrapped
from weir.machine.describe import Fact
from weir.report.print_page import HEIGHT, MARGIN, MOST_CAVEATS, WIDTH, Heading, print_svg

LONG = "Größenverhältnis µs<&> " * 12
UNBROKEN = "x" * 400
PICTURE = '<svg class="marks" width="700" height="900" viewBox="0 0 700 900"><rect width="700"/></svg>'
HEADING = Heading(f"study {LONG}", f"run {UNBROKEN}")
TEXT = re.compile(r'<text x="([\d.]+)" y="([\d.]+)" font-size="([\d.]+)" fill="[^"]*"([^>]*)>([^<]*)</text>')


def screen(words: str = "write", rows: int = 6, caveats: int = 20) -> Screen:
    answer = replace(quantity_answer("Write", row("write", 500.0)), subject=(words,))
    return Screen(
        place=(words, "1 node"),
        rows=(answer,) * rows,
        others=3,
        caveats=(Caveat("failures", 1, 9, Changes.VERDICT), *[Caveat("few", 1, 9)] * (caveats - 1)),
        machine=(Fact("storage", words),) * 6,
    )


def texts(svg: str) -> list[tuple[float, float, str]]:
    """Right end, base line on the page, and words of each line."""
    found, top = [], 0.0
    for part in re.split(r"(?=<g font-family)", svg)[1:]:
        shift = re.match(r"<g font-family=[^>]*translate\(0 ([\d.]+)\)", part)
        assert shift
        top = float(shift[1])
        for x, y, size, rest, words in TEXT.findall(part):
            plain = words.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
            width = text_width(plain, float(size), bold="bold" in rest)
            found.append((float(x) + width, top + float(y), plain))
    return found


@pytest.mark.parametrize("words", ["write", LONG, UNBROKEN])
@pytest.mark.parametrize("picture", ["", PICTURE])
def test_nothing_leaves_the_page_or_stands_on_other_lines(words: str, picture: str) -> None:
    found = texts(print_svg(HEADING, screen(words), picture))
    assert max(right for right, _, _ in found) <= WIDTH - MARGIN + 1
    assert min(y for _, y, _ in found) > MARGIN and max(y for _, y, _ in found) <= HEIGHT - MARGIN
    foot = [y for _, y, text in found if text.startswith("run")]
    assert max(y for _, y, text in found if text.startswith("storage")) < min(foot)
    assert any(f"{20 - MOST_CAVEATS} caveats more" in text for _, _, text in found)


def test_a_picture_takes_the_room_that_is_left() -> None:
    drawn = print_svg(HEADING, screen(rows=1, caveats=1), PICTURE)
    scale = re.search(r"scale\(([\d.]+)\)", drawn)
    assert scale and 0.3 < float(scale[1]) < 0.4  # 330 of 900 points
    assert '<g transform="scale' not in print_svg(HEADING, screen(LONG), PICTURE)


def test_a_dot_says_how_sure_it_is() -> None:
    one = screen(rows=1).rows[0]
    marks = {
        certainty: print_svg(HEADING, replace(screen(), rows=(replace(one, certainty=certainty),)), "")
        for certainty in (Certainty.SURE, Certainty.WITHIN, Certainty.OPEN)
    }
    assert len({re.sub(r"<text.*?</text>", "", svg) for svg in marks.values()}) == 3
    assert "<path" in marks[Certainty.WITHIN] and "<path" not in marks[Certainty.OPEN]


@pytest.mark.parametrize("text", ["", "a b", LONG, UNBROKEN, "日本語" * 50])
def test_wrapped_lines_fit_and_hold_every_letter(text: str) -> None:
    lines = wrapped(text, 100, 9)
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(text_width(line, 9) <= 100 for line in lines)


def letters(pdf: bytes) -> set[str]:
    """All that its fonts say their marks mean (ToUnicode, which is not compressed)."""
    tables = re.findall(rb"beginbf(?:char|range)(.*?)endbf", pdf, re.DOTALL)
    targets = [one for table in tables for one in re.findall(rb"> ?<([0-9A-Fa-f]{4,8})>", table)]
    return {bytes.fromhex(one.decode()).decode("utf-16-be") for one in targets}


@pytest.mark.usefixtures("draws")
def test_the_verb_writes_one_page_whose_text_is_text(tmp_path: Path) -> None:
    run = write_run(tmp_path / "Größe-µ", World())
    done = weir_here("report", run, "--pdf")
    assert done.exit_code == 0, done.output
    path = run / "report.pdf"
    assert done.stdout.split() == [str(path)]
    pdf = path.read_bytes()
    assert pdf.startswith(b"%PDF") and re.findall(rb"/MediaBox ?\[([^\]]*)\]", pdf) == [b"0 0 595 842"]
    assert set("ext4MiB/sWeirößµ±") <= letters(pdf)
    assert not (run / "report.html").exists()
    other = tmp_path / "other.pdf"
    assert weir_here("report", run, "--pdf", "--out", other).exit_code == 0 and other.exists()


def test_what_does_not_go_with_it_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = write_run(tmp_path / "run", World())
    assert weir_here("report", run, "--pdf", "--json").exit_code == 2
    assert weir_here("report", tmp_path / "none", "--pdf").exit_code == 2
    monkeypatch.setattr("weir.figures.engine.PACKAGE", "no_such_package")
    done = weir_here("report", run, "--pdf")
    assert done.exit_code == 2 and "figures" in done.stderr
    assert not (run / "report.pdf").exists()


@pytest.mark.usefixtures("draws")
def test_a_comparison_is_printed_where_its_page_is_a_pdf(tmp_path: Path) -> None:
    runs = [write_run(tmp_path / name, World(seed=seed)) for seed, name in enumerate("ab")]
    page = tmp_path / "page.pdf"
    assert weir_here("compare", *runs, "--page", page).exit_code == 0
    assert page.read_bytes().startswith(b"%PDF")
