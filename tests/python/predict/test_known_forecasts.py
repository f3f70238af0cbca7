import msgspec
import pytest

from weir.predict.expected_error import expected, left_out
from weir.predict.known_forecasts import TABLE, Measured, Table, known_forecasts, spell_table


def test_the_table_says_where_it_is_from_and_keeps_every_pair() -> None:
    table = known_forecasts()
    assert all((table.made_by, table.weir, table.measured_on, table.machine))
    assert len({one.program for one in table.programs}) == len(table.programs)
    for one in table.programs:
        assert len(one.measured_s) == len(one.forecast_s) == len(one.errors) > 0
    assert spell_table(table) == TABLE.read_bytes()


def test_of_programs_left_out_the_interval_holds_as_often_as_it_says() -> None:
    check = left_out(known_forecasts().observed())
    assert check is not None
    # One more or less is chance.
    assert check.held >= check.promised * check.of - 1


@pytest.mark.parametrize("kind", ["exact", "request_size", "random sizes", "of no known kind"])
def test_of_all_that_is_known_the_interval_holds_every_one(kind: str) -> None:
    observed = known_forecasts().observed()
    found = expected(kind, observed)
    assert found is not None
    alike = [one for one in observed if one.kind == kind] if found.of_kind else observed
    assert all(found.holds(one.ratio - 1) for one in alike)


def test_an_error_is_of_a_pair() -> None:
    one = Measured("a", "posix", "exact", 2, (2.0, 1.0, 0.0), (1.0, 1.5, 1.0))
    assert one.errors == (-0.5, 0.5)
    table = Table("by", "0.1.0", "2026-01-01", "2 cores", (one, one))
    assert msgspec.json.decode(spell_table(table), type=Table) == table
