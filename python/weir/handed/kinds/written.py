"""Text files that people and Weir write: studies, patterns, case files, reports, tables."""

import re

from weir.compare.shipped import shipped_machines
from weir.files.thing import Thing
from weir.handed.kind import kind
from weir.study.load import own_studies

_STUDY = re.compile(rb"^\s*\[study\]|^study:", re.MULTILINE)
_PROFILE = re.compile(rb'\s*\{\s*"kind"\s*:\s*"weir-profile"')


@kind("study", "a study", "`weir run {0}` carries it out, `weir plan {0}` shows what it would do")
def study(thing: Thing) -> bool:
    """A file with its table, or the name of one of Weir's own."""
    named = thing.path.suffix in (".toml", ".yaml", ".yml") and bool(thing.begin)
    return named or thing.word in own_studies() or _STUDY.search(thing.begin) is not None


@kind("pattern", "a pattern", "`weir replay {0}` carries it out, `weir predict {0}` forecasts its time")
def pattern(thing: Thing) -> bool:
    """JSON with its version."""
    return thing.begin.lstrip().startswith(b"{") and b'"weir_pattern"' in thing.begin


@kind("profile", "a profile", "`weir compare RUN {0}` compares with it")
def profile(thing: Thing) -> bool:
    """JSON that says so at its begin, or the name of a machine that Weir brings."""
    return _PROFILE.match(thing.begin) is not None or thing.word in shipped_machines()


@kind("cases", "a case file", "`weir-core {0}` runs it")
def cases(thing: Thing) -> bool:
    """JSON with cases."""
    return thing.begin.lstrip().startswith(b'{"schema"') and b'"cases"' in thing.begin


@kind("page", "an HTML page", "open it in a browser")
def page(thing: Thing) -> bool:
    """A report, or the page of a trace."""
    return thing.begin.lstrip()[:15].lower().startswith((b"<!doctype html", b"<html"))


@kind("table", "an exported table", "it is for other programs: name the run or trace that it was made of")
def table(thing: Thing) -> bool:
    """What `weir export` writes."""
    return thing.begin.startswith(b"PAR1") or (
        thing.path.suffix in (".csv", ".parquet") and bool(thing.begin)
    )


@kind("image", "an image", "look at it with any viewer")
def image(thing: Thing) -> bool:
    """A figure."""
    return thing.begin.startswith((b"\x89PNG", b"%PDF-", b"<svg"))
