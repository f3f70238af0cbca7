"""Colours and type of all figures, for light and for dark paper.

Palette: M. Okabe and K. Ito, Color Universal Design (2008), which people with any colour vision can tell
apart, with grey for its black; for dark paper its darker members give way to lighter ones.
"""

from typing import Any

# Fonts of equal widths: a still is laid out here and shown elsewhere, and its words must not grow meanwhile.
FONT = "'Liberation Sans', Arial, Helvetica, sans-serif"
LIGHT = {"ink": "#1c2430", "faint": "#5b6675", "grid": "#e4e8ee", "paper": "#ffffff"}
DARK = {"ink": "#e6eaf0", "faint": "#9aa6b6", "grid": "#2c3644", "paper": "#161c26"}
LIGHT_SERIES = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#4d4d4d"]
DARK_SERIES = ["#56B4E9", "#E69F00", "#2ec4a0", "#e39bc2", "#8ecbf0", "#f0c060", "#d9dee6"]


def config(*, dark: bool = False) -> dict[str, Any]:
    """The Vega-Lite `config` of light or dark paper."""
    colours = DARK if dark else LIGHT
    return {
        "background": None if dark else colours["paper"],
        "font": FONT,
        "view": {"stroke": None},
        "range": {"category": DARK_SERIES if dark else LIGHT_SERIES},
        "axis": {
            "domainColor": colours["faint"],
            "tickColor": colours["faint"],
            "gridColor": colours["grid"],
            "labelColor": colours["faint"],
            "titleColor": colours["ink"],
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "titlePadding": 8,
        },
        "axisX": {"grid": False},
        "axisY": {"domain": False, "ticks": False},
        "legend": {
            "labelColor": colours["ink"],
            "titleColor": colours["faint"],
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "orient": "bottom",
            "direction": "horizontal",
            "columns": 2,
            "labelLimit": 320,
            "symbolSize": 90,
            "rowPadding": 4,
            "columnPadding": 30,
            "layout": {"bottom": {"anchor": "start", "direction": "vertical", "margin": 4}},
        },
        "title": {
            "color": colours["ink"],
            "subtitleColor": colours["faint"],
            "anchor": "start",
            "fontSize": 15,
            "fontWeight": 600,
            "subtitleFontSize": 12,
        },
        "rule": {"color": colours["ink"]},
        "text": {"color": colours["ink"], "fontSize": 11},
        "style": {
            "note": {"fill": colours["faint"], "fontSize": 11},
            "mark-line": {"stroke": colours["faint"]},
        },
    }
