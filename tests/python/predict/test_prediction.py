import pytest

from prediction_rows import rows
from weir.predict.questions.prediction import judge_prediction
from weir.questions.question import draw
from weir.tables.table import make_tables


def test_the_title_counts_pairs_and_names_median_and_worst() -> None:
    finding = judge_prediction(rows(), {})
    assert finding
    assert finding.title == (
        "Derived parameters predict 4 bandwidths of cmb with a median absolute error of 5.0 %; "
        "the worst is off by +5.0 %"
    )
    assert finding.sentences[2:] == (
        "Preset shan-2007: absolute error 50.0 % in the median of 4 pairs (all writes, or all reads, of a "
        "case); 4 off by more than 10 %, 4 of them surely off. Worst: cmb, write, synced, 1 rank, "
        "+50.0 %.",
        "Phase by phase: 50.0 % in the median of 6 pairs. Worst: cmb, dump, write, synced, 1 rank, +50.0 %.",
    )


def test_a_prediction_that_is_off_says_what_could_not_be_expressed() -> None:
    finding = judge_prediction(rows(ranks=(1,)), {})
    assert finding
    lost = "Preset shan-2007 makes otherwise: requests of 7 MiB are made as 2 MiB each. Off are: "
    assert finding.details == (
        f"{lost}cmb, write, synced, 1 rank, +50.0 %.",
        "The parameters say all. Off are: cmb, load, read, cached, 1 rank, +50.0 %.",
    )
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
