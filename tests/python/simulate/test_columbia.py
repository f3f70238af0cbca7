"""What the paper on Columbia's files says, held against curves; and the pattern that gathers."""

from weir.simulate.papers._columbia_claims import claims_of
from weir.simulate.papers._columbia_curves import COUNTS, FILES, MEAN, PEAKS, Curves, with_gathering
from weir.simulate.papers._columbia_figure import figure_of
from weir.simulate.papers._columbia_fit import error_of


def flat(value: float = 100e6) -> Curves:
    """Curves that are all the same, and fall at their last point."""
    return {
        (side, file): {count: value if count < counts[-1] else value / 2 for count in counts}
        for side, counts in COUNTS.items()
        for file in (*FILES.values(), MEAN)
    }


def test_equal_curves_miss_no_order() -> None:
    curves = flat()
    for file in (*FILES.values(), MEAN):
        curves[32, file][128] = curves[16, file][128]
    missed = {claim.says for claim in claims_of(curves) if claim.missed}
    assert missed <= {"each curve falls beyond its highest point"}


def test_a_claim_says_where_it_is_missed_most() -> None:
    curves = flat()
    curves[8, "corners"][64] = 110e6
    missed = {claim.says: claim for claim in claims_of(curves)}[
        "8^3: checkpoint, then corners, then no corners"
    ]
    assert missed.where == "8^3, checkpoint, 64"
    assert round(missed.missed, 3) == 0.1


def test_a_peak_may_be_a_step_away() -> None:
    assert PEAKS[8, "checkpoint"].near == {8, 16, 32}
    assert PEAKS[32, "no corners"].near == {4, 8, 16, 32, 64}


def test_the_error_counts_values_and_places() -> None:
    curves = flat(1e6)
    for key, peak in PEAKS.items():
        curves[key][peak.at[0]] = peak.value
    assert error_of(curves) == 0
    curves[8, "checkpoint"][128] = 152e6
    assert error_of(curves) > 0


def test_each_unknown_is_gathered_and_the_tree_is_not() -> None:
    tree, unknown = ({"access": {"array": array}} for array in (9, 10))
    phases = [{"name": name, "steps": [tree, unknown]} for name in ("plot", "corner")]
    plot, corner = with_gathering({"phases": phases}, 8, 1e-9)["phases"]
    assert plot["steps"] == [tree, {"compute": {"time_s": 1e-9 * 81 * 512}}, unknown]
    assert corner["steps"][1] == {"compute": {"time_s": 1e-9 * 81 * 729}}


def test_the_figure_has_a_panel_for_each_size_and_one_for_means() -> None:
    drawing = figure_of(flat())
    assert [panel.title for panel in drawing.panels] == [
        "Blocks of 8³",
        "Blocks of 16³",
        "Blocks of 32³",
        "Mean of the three files",
    ]
