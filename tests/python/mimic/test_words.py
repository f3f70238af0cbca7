from end_to_end.patterns import closing, opening, phase
from end_to_end.patterns import pattern as small
from weir.mimic.derive import derive
from weir.mimic.words import (
    as_data,
    difference,
    exact_size,
    format_left,
    headline,
    loss_lines,
    rows,
    what_is_lost,
    without_cost,
)

from .made import cmb, listed, nest, of_steps, typed

TOLD = {"broadcast": {"bytes": 24, "root": 0}}


def test_no_digit_of_a_size_is_lost() -> None:
    assert exact_size(4 << 20) == "4 MiB"
    assert exact_size(78_125_000) == "78,125,000 B"
    assert exact_size(24) == "24 B"
    assert exact_size(1536) == "1,536 B"


def test_a_row_names_the_phase_once() -> None:
    found = derive(cmb(4, alone=True))
    assert [row[0] for phase in found.phases for row in rows(phase, found)] == ["S", "W", "", "C"]
    (row,) = rows(found.phases[0], found)
    assert row[3:9] == ["file per process", "78,125,000 B", "= block", "1", "1", "8"]


def test_a_loss_of_several_phases_is_told_once() -> None:
    phases = (phase(name, opening("create"), nest(ranks=1, length=8), TOLD, closing()) for name in "ab")
    lines = list(loss_lines(derive(typed(small(*phases, ranks=1)))))
    assert lines == [
        "concurrency, a and 1 more phase: broadcasts are left out. 0.95 is left of 100 % of the bytes."
    ]


def test_the_headline_says_how_good_it_is() -> None:
    exact = derive(of_steps(nest(ranks=1, length=8), ranks=1))
    assert headline(exact) == "the parameters say all of it"
    waiting = derive(of_steps(nest(ranks=1, length=8), TOLD, ranks=1))
    assert headline(waiting) == "the parameters say nearly all of it"


def test_causes_are_those_of_the_direction() -> None:
    steps = [nest("read", ranks=2, length=64), listed([[0, 8, 100, 16], [200, 8, 300, 16]])]
    found = derive(of_steps(*steps, {"compute": {"time_s": 1}}, ranks=2))
    (read,), written = (list(what_is_lost(found, found.phases, way)) for way in ("read", "write"))
    assert "the same bytes" in read
    assert "requests of 8 B to 16 B are made as 16 B each; 33 % more bytes are moved" in written


def test_data_has_the_options_of_the_storage_benchmark() -> None:
    data = as_data(derive(cmb(4, alone=True)))
    (one,) = data["phases"][0]["sets"]
    options = {"block": 78_125_000, "transfer": 78_125_000, "layout": "file-per-process"}
    assert one["options"] == {**options, "sync": "never", "write": True, "read": False}
    assert (one["turns"], data["fidelity"]["overall"]) == (8, 1)


def test_a_loss_that_rounds_to_nothing_reads_as_one() -> None:
    assert [format_left(value) for value in (1, 0.994, 0.9997, 1 - 1e-12)] == [
        "1.00",
        "0.99",
        "0.9997",
        "almost 1",
    ]
    found = derive(of_steps(nest(ranks=1, length=11_213), ranks=1))
    assert "almost all of it" in headline(found)
    (line,) = loss_lines(found)
    assert "requests of 11,213 B are made as 11,216 B each" in line
    assert "0.999 is left" in line
    assert difference(found) == ["The pattern moves 11,213 B, the imitation 11,216 B."]


def test_what_costs_no_fidelity_is_no_loss() -> None:
    found = derive(of_steps(nest(ranks=1, length=8), {"compute": {"time_s": 1}}, ranks=1))
    assert list(loss_lines(found)) == []
    assert list(without_cost(found)) == ["write: computing between requests is left out."]
