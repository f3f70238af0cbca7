import pytest

from prediction_rows import rows
from weir.predict.predictions import ALL, Prediction, errors_by_imitation, phases, predictions, sums


def find(found: list[Prediction], by: str, phase: str, ranks: int = 1) -> Prediction:
    (one,) = [one for one in found if (one.by, one.phase, one.row.ranks) == (by, phase, ranks)]
    return one


def test_errors_are_of_pairs_by_phase_and_of_all_phases_of_a_direction() -> None:
    found = predictions(rows())
    assert {(one.phase, one.direction) for one in found} == {
        ("dump", "write"),
        ("dump 2", "write"),
        (ALL, "write"),
        ("load", "read"),
    }
    derived = find(found, "derived", "dump")
    assert derived.error.median == pytest.approx(0.05)
    assert (derived.error.low, derived.error.high) == (pytest.approx(0.05), pytest.approx(0.05))
    assert derived.error.ratio.count == 11
    assert (derived.measured.state, find(found, "derived", "load").measured.state) == ("synced", "cached")
    assert find(found, "shan-2007", ALL, 4).error.median == pytest.approx(0.5)


def test_of_repetitions_in_a_row_the_last_counts() -> None:
    found = rows(ranks=(1,))
    for row in found:
        for record in row.records[:4]:
            record.round, record.repetition = (record.round or 0) + 5, 1
    measured = find(predictions(found), "derived", "dump").measured
    assert sorted(measured.by_turn) == [(round_, 0) for round_ in (5, 6, 7, 8)]


def test_an_imitation_of_other_bytes_is_compared_by_bandwidth() -> None:
    assert find(predictions(rows(moved=2000)), "derived", "dump").error.median == pytest.approx(0.05)


def test_an_application_stands_before_its_pattern_and_nothing_stands_for_none() -> None:
    both = predictions(rows({"pattern": 2.0, "derived": 1.0, "none": 1.0}))
    assert {one.by for one in both} == {"pattern", "derived"}
    replayed = predictions(rows({"pattern": 2.0, "derived": 1.0}))
    assert find(replayed, "derived", "dump").error.median == pytest.approx(-0.5)
    assert predictions(rows({"derived": 1.0})) == []


def test_errors_of_a_kind_have_their_median_and_the_worst_without_sums() -> None:
    found = predictions(rows({"none": 1.0, "derived": 0.9, "shan-2007": 1.5}))
    derived, preset = errors_by_imitation(phases(found))
    assert [(one.phase, one.row.ranks) for one in sums(found) if one.by == "derived"] == [
        (ALL, 1),
        ("load", 1),
        (ALL, 4),
        ("load", 4),
    ]
    assert (derived.by, len(derived.all), derived.off) == ("derived", 6, [])
    assert derived.median == pytest.approx(0.1)
    assert derived.worst.error.median == pytest.approx(-0.1)
    assert len(preset.off) == 6


def test_what_an_imitation_loses_is_told_of_its_phase_and_direction() -> None:
    found = predictions(rows())
    words = ("requests of 7 MiB are made as 2 MiB each",)
    assert find(found, "shan-2007", "dump").lost == find(found, "shan-2007", ALL).lost == words
    assert find(found, "shan-2007", "load").lost == find(found, "shan-2007", "dump 2").lost == ()
