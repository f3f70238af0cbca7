"""A spec as the bytes of a picture's file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from weir.errors import WeirError
from weir.figures.drawing import Spec
from weir.figures.export import PNG_SCALE, load_converter

FORMATS = (".png", ".svg", ".pdf", ".html")


def check_ending(path: Path) -> None:
    """Raises WeirError unless the name ends in a format."""
    if path.suffix.lower() not in FORMATS:
        raise WeirError(
            f"cannot draw '{path}'", "its name does not end in a format", f"use {', '.join(FORMATS)}"
        )


def draw(spec: Spec, ending: str) -> bytes:
    """The file's content, for one of FORMATS; HTML works offline."""
    convert: Any = load_converter()
    text = json.dumps(spec)
    match ending:
        case ".png":
            return bytes(convert.vegalite_to_png(text, scale=PNG_SCALE))
        case ".pdf":
            return bytes(convert.vegalite_to_pdf(text))
        case ".svg":
            return str(convert.vegalite_to_svg(text)).encode()
        case _:
            return str(convert.vegalite_to_html(text, bundle=True)).encode()
