from dataclasses import replace

import pytest

from prediction_rows import rows
from rows import found
from weir.answers.answer import Certainty, Count, Number, Ratio
from weir.figures.figure import Finding
from weir.predict.questions.prediction import judge_prediction
from weir.questions.question import draw
from weir.tables.table import make_tables


def errors(finding: Finding, by: str) -> dict[str, Number]:
    """The numbers of an imitation, by what they are of."""
    return {one.subject[1]: one for one in finding.numbers if one.subject[0] == by}


def error(share: float, count: int, *, interval: bool = True) -> Ratio:
    """One whose pairs all say the same."""
    known = pytest.approx(share)
    end = known if interval else None
    return Ratio(known, end, end, count, unit="%")


def test_an_answer_is_the_median_error_of_an_imitation() -> None:
    finding = found(judge_prediction, rows())
    assert {one.subject: one.value for one in finding.answers} == {
        (name,): replace(error(share, 4, interval=False), of="in the median")
        for name, share in (("derived parameters", 0.05), ("preset shan-2007", 0.5))
    }
    assert finding.certainty is None, "it shows numbers and decides nothing"


def test_numbers_count_what_is_off_and_name_the_worst() -> None:
    finding = found(judge_prediction, rows())
    derived, preset = (errors(finding, name) for name in ("derived parameters", "preset shan-2007"))
    off = [one["more than 10 % off"] for one in (derived, preset)]
    assert [(one.value, one.remark) for one in off] == [(Count(0, 4), "0 surely"), (Count(4, 4), "4 surely")]
    assert preset["absolute, phase by phase"].value == error(0.5, 6, interval=False)
    for numbers, share in ((derived, 0.05), (preset, 0.5)):
        worst = numbers["cmb, write, synced, 1 rank"], numbers["cmb, dump, write, synced, 1 rank"]
        assert [(one.value, one.remark) for one in worst] == [
            (error(share, 11), "worst"),
            (error(share, 11), "worst phase"),
        ]
    few = errors(found(judge_prediction, rows(count=3)), "preset shan-2007")["more than 10 % off"]
    assert (few.value, few.remark) == (Count(4, 4), "0 surely")


@pytest.mark.parametrize(("count", "certainty"), [(3, Certainty.OPEN), (11, Certainty.WITHIN)])
def test_errors_without_an_interval_are_open(count: int, certainty: Certainty) -> None:
    assert {one.certainty for one in found(judge_prediction, rows(count=count)).answers} == {certainty}


def test_a_prediction_that_is_off_says_what_could_not_be_expressed() -> None:
    finding = found(judge_prediction, rows(ranks=(1,)))
    differs = {place: one.subject[2] for place, one in errors(finding, "preset shan-2007").items()}
    words = "requests of 7 MiB are made as 2 MiB each"
    assert differs["cmb, write, synced, 1 rank"] == words
    assert differs["cmb, load, read, cached, 1 rank"] == "nothing"
    assert not any(one.subject[2] for one in errors(finding, "derived parameters").values())
    lost = f"Preset shan-2007 makes otherwise: {words}. Off are: "
    (table,) = make_tables("prediction", rows(ranks=(1,), count=3))
    chance = " (not sure: there is no interval)"
    assert table.notes[0] == f"{lost}cmb, dump, write, synced, 1 rank, +50.0 %{chance}."


def test_bandwidths_over_ranks_are_drawn_for_each_direction_then_the_errors() -> None:
    drawing = draw("prediction", rows(), {})
    assert drawing
    titles = [panel.title for panel in drawing.panels]
    assert titles == [
        "Cmb, writes",
        "Cmb, reads",
        *(
            f"{way}, all phases together: error, by application, ranks and state"
            for way in ("Writes", "Reads")
        ),
    ]
    values = drawing.panels[0].spec["data"]["values"]
    assert {(value["x"], value["series"]) for value in values} == {
        (ranks, name)
        for ranks in (1, 4)
        for name in ("the application", "derived parameters", "preset shan-2007")
    }
    errors = drawing.panels[2].spec["data"]["values"]
    assert sorted({round(value["ratio"], 3) for value in errors}) == [1.05, 1.5]


def test_errors_alone_are_drawn_by_phase() -> None:
    drawing = draw("prediction-errors", rows(ranks=(1,)), {})
    assert drawing
    places = [value["place"] for value in drawing.panels[0].spec["data"]["values"]]
    assert places.count("cmb dump, 1, synced") == 2
    assert draw("prediction-errors", rows({"none": 1.0}), {}) is None


def test_the_table_has_measured_predicted_error_and_interval() -> None:
    (table,) = make_tables("prediction", rows(ranks=(4,)))
    line = next(row for row in table.rows if row[0] == "load, read" and row[3] == "derived")
    assert line[1:3] == ("cached", "4") and line[6:] == ("11, 11", "+5.0 %", "+5.0 % … +5.0 %", "11")
    assert table.data["predictions"][0]["error"] == pytest.approx(0.05)


def test_the_table_tells_the_application_from_its_prediction() -> None:
    (table,) = make_tables("prediction", rows({"none": 1.0, "derived": 2.0}, ranks=(1,)))
    measured, predicted = (float(cell.split()[0]) for cell in table.rows[0][4:6])
    assert predicted == pytest.approx(2 * measured, rel=0.01)
