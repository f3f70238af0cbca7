from typing import Any

import pytest

from weir.core.option import Option
from weir.errors import WeirError
from weir.study.values import resolve_value, spell_value

CFL = Option(name="cfl", type="number", default=0.4, min=0.001, max=1.0)


@pytest.mark.parametrize(("value", "number"), [(0.25, 0.25), (1, 1.0), (1e-3, 0.001)])
def test_a_number_is_taken_without_a_unit(value: Any, number: float) -> None:
    resolved = resolve_value(CFL, value)
    assert resolved == number and isinstance(resolved, float)
    assert float(spell_value(CFL, resolved)) == number


@pytest.mark.parametrize("value", ["0.25", True, 1.5, 0, [0.25]])
def test_what_is_no_such_number_is_refused(value: Any) -> None:
    with pytest.raises(WeirError, match="'cfl' is"):
        resolve_value(CFL, value)
