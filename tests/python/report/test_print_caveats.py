"""Every caveat is on the page for print, or counted there."""

import pytest

from weir.answers.answer import Caveat
from weir.answers.screen import Screen
from weir.answers.words import caveat_words
from weir.report.print_page import MOST_CAVEATS, Heading, print_svg
from weir.units import count_words


@pytest.mark.parametrize("more", [-1, 0, 1, 12])
def test_each_caveat_is_shown_or_counted(more: int) -> None:
    caveats = tuple(Caveat("few", at, 99) for at in range(2, 2 + MOST_CAVEATS + more))
    screen = Screen(place=("write",), rows=(), others=0, caveats=caveats, machine=())
    page = print_svg(Heading("study", "run"), screen, "")
    shown = [caveat_words(one) in page for one in caveats]
    assert shown.count(True) == min(MOST_CAVEATS, len(caveats))
    assert (f"{count_words(more, 'caveat')} more" in page) is (more > 0)
