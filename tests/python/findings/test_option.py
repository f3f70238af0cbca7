"""Settings in words."""

import pytest

from rows import row
from weir.findings.option import option_words


@pytest.mark.parametrize(("value", "said"), [(True, "physics true"), (False, "physics false")])
def test_a_switch_is_written_as_in_a_study(value: bool, said: str) -> None:
    assert option_words(row("write", 1000, physics=value), "physics") == said
