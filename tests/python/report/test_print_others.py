"""Answers that the page has no room for are counted on it."""

from dataclasses import replace

import pytest

from rows import row
from weir.answers.quantities import quantity_answer
from weir.answers.screen import Screen
from weir.report.print_page import Heading, print_svg


@pytest.mark.parametrize(("others", "words"), [(0, ""), (1, "1 more answer in"), (3, "3 more answers in")])
def test_answers_that_are_not_on_the_page_are_counted(others: int, words: str) -> None:
    answer = replace(quantity_answer("Write", row("write", 500.0)), subject=("write",))
    screen = Screen(place=("write",), rows=(answer,) * 6, others=others, caveats=(), machine=())
    page = print_svg(Heading("study", "run"), screen, "")
    assert words in page and ("more answer" in page) is bool(others)
