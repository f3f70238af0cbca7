"""Verbs say "1 sample", not "1 samples": of a run and a trace in which there is one of each thing."""

import re
from pathlib import Path
from trace.synthetic import rows_of_rank, write_trace

import pytest

from damage.verbs import speak
from fakes import study_text
from weir.units import count_words, more_words

WRONG = re.compile(r"(?<![\d.,/-])1 (?!is\b|was\b|has\b|does\b|softens\b|s\b|ms\b|us\b|ns\b)[a-z]+s\b")
"""Of times and verbs the word may end in s."""


@pytest.fixture(name="place")
def _place(place: Path) -> Path:
    """With a study of one case with one sample on one rank, and a trace of one rank."""
    Path("small.toml").write_text(study_text(axes="", samples="min_samples = 1\nmax_samples = 1"))
    write_trace(place / "T", {0: rows_of_rank(0, 1)})
    return place


def test_one_of_a_thing_is_not_several(place: Path) -> None:
    said = {}
    for verb in (
        "plan small.toml --dir store",
        "run small.toml --dir store --out R",
        "show R",
        "report R",
        "export R --format csv",
        "explain T --out page.html",
        "pattern T --out p.json",
        "pack T --out T.weirtrace",
        "doctor store",
    ):
        said[verb] = speak(*verb.split(), seconds=60)[1]
    said["page"] = re.sub(
        r"<(script|style)\b.*?</\1>", "", Path("R/report.html").read_text(), flags=re.DOTALL
    )
    wrong = {verb: found for verb, text in said.items() if (found := WRONG.findall(text))}
    assert not wrong, {verb: [m.group() for m in WRONG.finditer(said[verb])] for verb in wrong}


@pytest.mark.parametrize("text", ["1 samples", "(1 ranks)", "after 1 launches"])
def test_the_pattern_finds_what_is_wrong(text: str) -> None:
    assert WRONG.search(text)


def test_counts_in_words() -> None:
    words = [count_words(n, "rank") for n in (0, 1, 2, 12000)]
    assert words == ["0 ranks", "1 rank", "2 ranks", "12,000 ranks"]
    assert [count_words(n, "process", "processes") for n in (1, 2)] == ["1 process", "2 processes"]
    assert [more_words(n, "file") for n in (1, 2)] == ["1 more file", "2 more files"]


def test_one_sample_is_not_called_inconclusive_but_without_an_interval(place: Path) -> None:
    note = "1 sample a case is the most, and a 95 % interval takes 6: no number will have one"
    assert note in speak("plan", "small.toml", "--dir", "store", seconds=60)[1]
    code, said = speak("run", "small.toml", "--dir", "store", "--out", "R", seconds=60)
    assert code == 5 and note in said
    assert "] only: " in said and "(n = 1, no interval)" in said
    assert "inconclusive" not in said
    speak("report", "R", seconds=60)
    page = Path("R/report.html").read_text()
    assert "2 of 2 results are without an interval: it takes 6 samples." in page
    assert "are inconclusive" not in page
