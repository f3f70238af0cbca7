"""The colour of each kind of operation, the same in reports and on the pages of traces."""

OPERATIONS = ("open", "close", "read", "write", "seek", "communication", "sync")
"""Of an application's account of its I/O."""
COLOURS = {
    # As recorders name them: on light paper, on dark paper.
    "read": ("#0072b2", "#56b4e9"),
    "write": ("#d55e00", "#f08a3c"),
    "open": ("#09c490", "#177441"),
    "close": ("#304c18", "#c1f2a8"),
    "seek": ("#acaad1", "#b9a0a5"),
    "sync": ("#6e1f5a", "#924781"),
    "communicate": ("#8043e6", "#7942d2"),
    "resize": ("#401f8b", "#808ffa"),
    "stat": ("#ccb75b", "#f0df33"),
    "remove": ("#ab6450", "#ce967e"),
    "rename": ("#f6a827", "#8e3607"),
    "map": ("#2f2222", "#f3e4ff"),
    "wait": ("#add8d1", "#97f0c6"),
    "other": ("#6b7679", "#4a514e"),
    "mark": ("#e6b84c", "#f0c60d"),
}
"""Chosen so that people with any colour vision can tell them apart: by the simulation of Machado, Oliveira
and Fernandes (IEEE TVCG 15, 2009) at full severity, the first seven are at least 28 apart in CIELAB, and all
calls at least 18. Marks are bands of their own, and not among them. Reads and writes are the blue and the
vermilion of Okabe and Ito (2008)."""

_KIND_OF = {"communication": "communicate"}


def colour(operation: str, *, dark: bool = False) -> str:
    """Of a kind, or of an operation of an application's account."""
    return COLOURS[_KIND_OF.get(operation, operation)][dark]


def account_range(*, dark: bool) -> list[str]:
    """The colours of an account's OPERATIONS, in their order."""
    return [colour(operation, dark=dark) for operation in OPERATIONS]


def style() -> str:
    """Variables of a page's style: --kind-read and so on."""
    light, dark = (
        "".join(f"--kind-{kind}: {both[paper]}; " for kind, both in COLOURS.items())
        for paper in (False, True)
    )
    return f":root {{ {light}}}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark}}} }}\n"
