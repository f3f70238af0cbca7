"""Figures as files: the same specs that the report embeds, drawn by vl-convert."""

import json
import textwrap
from pathlib import Path

from weir.errors import WeirError, system_errors
from weir.figures.encoding import config
from weir.figures.engine import Engine, engine
from weir.figures.figure import Drawing, Spec
from weir.files.walk import make_own_folder
from weir.files.write import write

FORMATS = ("svg", "png", "pdf")
PICTURE_ENDINGS = (".png", ".svg", ".pdf", ".html")
PANEL_WIDTH_PX = 420
SINGLE_WIDTH_PX = 680
MOST_IN_A_LINE = 3
"""Panels; more stand in pairs below each other."""
PNG_SCALE = 2.0
INDEPENDENT = {
    kind: {"color": "independent", "shape": "independent", "fill": "independent"}
    for kind in ("scale", "legend")
}


def whole(drawing: Drawing, *, titled: bool = True, most_across: int = MOST_IN_A_LINE) -> Spec:
    """One spec of all panels, of fixed width; with the title for paper, where nothing stands around it.
    `most_across`: panels in a line, of more there are pairs."""
    width = SINGLE_WIDTH_PX if len(drawing.panels) == 1 else PANEL_WIDTH_PX
    across = len(drawing.panels) if len(drawing.panels) <= most_across else 2
    title = {"text": textwrap.wrap(drawing.title, width * across // 8), "offset": 12}
    parts = [
        {key: value for key, value in panel.spec.items() if key != "autosize"}
        | ({"width": width} if panel.spec.get("width") == "container" else {})
        | ({"title": {"text": panel.title, "fontSize": 13}} if panel.title else {})
        for panel in drawing.panels
    ]
    several: Spec = {"concat": parts, "columns": across, "spacing": 36, "resolve": INDEPENDENT}
    body = parts[0] if len(parts) == 1 else several
    return body | ({"title": title} if titled else {}) | {"config": config(), "padding": 16 if titled else 2}


def still(drawing: Drawing, most_across: int = MOST_IN_A_LINE) -> str:
    """The drawing without its title as SVG text; raises WeirError without vl-convert."""
    return engine().vegalite_to_svg(json.dumps(whole(drawing, titled=False, most_across=most_across)))


def check_format(form: str) -> None:
    """Raises WeirError unless figures can be written in that format."""
    if form not in FORMATS:
        raise WeirError(f"'{form}' is not a format for figures", "", f"use one of {', '.join(FORMATS)}")


def export(drawings: list[Drawing], directory: Path, form: str) -> list[Path]:
    """Writes one file a drawing and returns their paths; raises WeirError for an unknown form or unusable
    directory.
    """
    check_format(form)
    convert = engine()
    with system_errors(f"cannot write figures to '{directory}'", "choose another directory"):
        make_own_folder(directory)
        return [_write(convert, drawing, directory / f"{drawing.name}.{form}", form) for drawing in drawings]


def _write(convert: Engine, drawing: Drawing, path: Path, form: str) -> Path:
    spec = json.dumps(whole(drawing))
    if form == "svg":
        write(path, convert.vegalite_to_svg(spec).encode())
    elif form == "png":
        write(path, convert.vegalite_to_png(spec, scale=PNG_SCALE))
    else:
        write(path, convert.vegalite_to_pdf(spec))
    return path


def check_drawing(path: Path | None) -> None:
    """To be called before a picture is computed. Raises WeirError where nothing draws, or its name does not
    end in one of PICTURE_ENDINGS."""
    engine()
    if path is not None and path.suffix.lower() not in PICTURE_ENDINGS:
        raise WeirError(
            f"cannot draw '{path}'",
            "its name does not end in a format",
            f"use {', '.join(PICTURE_ENDINGS)}",
        )


def draw(spec: Spec, ending: str) -> bytes:
    """The content of a picture's file, for one of PICTURE_ENDINGS; HTML works offline."""
    convert = engine()
    text = json.dumps(spec)
    match ending:
        case ".png":
            return convert.vegalite_to_png(text, scale=PNG_SCALE)
        case ".pdf":
            return convert.vegalite_to_pdf(text)
        case ".svg":
            return convert.vegalite_to_svg(text).encode()
        case _:
            return convert.vegalite_to_html(text).encode()
