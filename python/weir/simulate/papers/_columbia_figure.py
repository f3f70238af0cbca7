"""Figures 6 to 8 and 13 of Saini et al. (2006) as simulated, with crosses at the peaks that it prints."""

from weir.figures.encoding import legend_of, nominal, panel_spec, quantitative, ranks_axis, series_color
from weir.figures.figure import Drawing, Finding, Panel, Spec
from weir.simulate.papers._columbia_curves import COUNTS, FILES, MEAN, PEAKS, STEPS, Curves

HEIGHT = 280
MB = 1e6


def figure_of(curves: Curves) -> Drawing:
    """A panel for each size of blocks, with the three files; and one with the means of all sizes."""
    files = tuple(FILES.values())
    panels = [
        Panel(f"Blocks of {side}³", _panel({file: (side, file) for file in files}, curves)) for side in COUNTS
    ]
    means = {f"{side}³": (side, MEAN) for side in COUNTS}
    return Drawing(
        "columbia",
        Finding(answers=()),
        (*panels, Panel("Mean of the three files", _panel(means, curves))),
        "FLASH-IO on Columbia, simulated; crosses are peaks as printed",
    )


def _panel(named: dict[str, tuple[int, str]], curves: Curves) -> Spec:
    domain = list(named)
    y = quantitative("value", "MB/s", scale={"domainMin": 0})
    points = [
        {"series": series, "x": count, "value": value / MB}
        for series, key in named.items()
        for count, value in curves[key].items()
    ]
    peaks = [
        {"series": series, "x": count, "value": PEAKS[key].value / MB}
        for series, key in named.items()
        for count in PEAKS[key].at
    ]
    cross = {"type": "point", "shape": "cross", "angle": 45, "size": 130, "filled": True, "opacity": 1}
    encoding = {"x": ranks_axis(list(STEPS)), "color": series_color(domain, legend_of(domain))}
    layer: list[Spec] = [
        {"mark": {"type": "line", "strokeWidth": 2, "point": True}, "encoding": {"y": y}},
        {
            "data": {"values": peaks},
            "mark": cross,
            "encoding": {"y": y, "color": nominal("series", scale={"domain": domain}, legend=None)},
        },
    ]
    return panel_spec(HEIGHT, points, encoding=encoding, layer=layer)
