"""Lines for a terminal in which numbers stay beside their units."""

import pytest

from weir.cli._results import WIDTH, wrapped


@pytest.mark.parametrize("whole", ["48 %", "(n = 12, 7)", "[0.50, 1.25]"])
def test_a_number_stays_with_what_belongs_to_it(whole: str) -> None:
    for length in range(WIDTH - 14, WIDTH + 1):
        lines = wrapped(f"{'x' * length} {whole} and more", "", "  ")
        assert sum(whole in line for line in lines) == 1
        assert max(map(len, lines)) <= WIDTH


def test_all_else_is_wrapped_and_indented() -> None:
    lines = wrapped("word " * 40, "", "  ")
    assert len(lines) == 3
    assert lines[1].startswith("  word") and "\N{NO-BREAK SPACE}" not in "".join(lines)
