"""`weir network model`: LogGP's parameters from a run, and how well they predict."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weir.cli._options import EverythingOption, JsonOption, RunArgument, writes
from weir.cli._streams import print_json, print_lines, print_table
from weir.units import count_words, format_bytes, significant

if TYPE_CHECKING:
    from weir.network.loggp import Estimate, Model, Prediction

PictureOption = Annotated[
    Path | None,
    typer.Option("--picture", metavar="PICTURE", help="Draw it into this .png, .svg, .pdf or .html."),
]
IntoOption = Annotated[
    Path | None,
    typer.Option(
        "--into", metavar="PROFILE", help="Write it into this machine profile, whose other keys stay."
    ),
]


@writes
def command(
    run: RunArgument,
    picture: PictureOption = None,
    into: IntoOption = None,
    everything: EverythingOption = False,
    json: JsonOption = False,
) -> None:
    """Make the LogGP model of RUN's messages: latency, overheads, gap and bandwidth by ranges of sizes.

    RUN is one of the study network-model. The model is made of PingPong, PingPing, PRTT and LocalCopy, for
    each distance of the two ranks. It predicts the comparisons named held-out, Sendrecv, Exchange and
    Alltoall, and each error is shown. Times are those that a tenth of the calls did not exceed. Switches of
    protocol are found between neighbouring sizes; `weir network refine RUN` measures more sizes there.
    """
    from weir.answers.data import screen_data
    from weir.cli._screen import print_screen
    from weir.network.figure import spec_of
    from weir.network.first_screen import first_screen
    from weir.network.loggp import make_model
    from weir.network.measured import paths_of
    from weir.network.profile import as_data, write_into
    from weir.store.run_directory import RunDirectory

    opened = RunDirectory(run)
    if picture is not None:
        from weir.figures.render import check_drawing

        check_drawing(picture)
    paths = paths_of(opened)
    models = {path.distance: make_model(path.used, path.held_out) for path in paths}
    data = [as_data(distance, model) for distance, model in models.items()]
    if into is not None:
        write_into(into, data, str(run))
    if picture is not None:
        # The nearest distance; each of several has its own table.
        from weir.cli._streams import output_file
        from weir.figures.render import draw

        distance, model = next(iter(models.items()))
        with output_file(picture, option="--picture") as file:
            file.write(draw(spec_of(model, title_of(distance, model)), picture.suffix.lower()))
    screen = first_screen(models)
    if json:
        print_json({"run": str(run), "paths": data, "first_screen": screen_data(screen)})
        return
    print_screen(screen, "", f"of {run}", more="weir network model --all")
    if everything:
        print()
        for distance, model in models.items():
            show(distance, model)


NAMES = {
    "core": "two ranks on one core",
    "cache": "two ranks of a common last-level cache",
    "package": "two ranks of one package",
    "node": "two ranks of one node",
    "nodes": "ranks of two nodes",
}


def title_of(distance: str, model: Model) -> str:
    """One line."""
    switches = count_words(len(model.switches), "switch", "switches")
    return f"Messages between {NAMES[distance]}: {count_words(len(model.ranges), 'range')}, {switches}"


def show(distance: str, model: Model) -> None:
    """Print it for people."""
    print_lines([title_of(distance, model), ""])
    headings = [
        "message",
        ">sizes",
        ">start µs",
        ">bandwidth MB/s",
        ">L µs",
        ">o_s µs",
        ">o_r µs",
        ">g µs",
        ">at",
    ]
    rows = [
        [
            f"{format_bytes(one.low)} to {format_bytes(one.high)}",
            str(one.count),
            "-" if (one.start.value or 0) < 0 else _us(one.start),
            _rate(one.G),
            *(_us(value) for value in (one.L, one.o_s, one.o_r, one.g)),
            "-" if one.at is None else format_bytes(one.at),
        ]
        for one in model.ranges
    ]
    print_table(headings, rows)
    print_lines([""])
    print_table(["of the model", ""], [*_switch_rows(model), *_fit_rows(model)])
    print_lines([""])
    if model.predictions:
        print_table(
            ["not used for the model", ">samples", ">measured µs", ">predicted µs", ">error"],
            [_prediction_row(one) for one in model.predictions],
        )
        print_lines([""])


def _switch_rows(model: Model) -> list[list[str]]:
    """Jumps of more than 15 % between ranges, which `weir network refine` finds more exactly."""
    found = [["sends wait for receivers from", _between(*model.waits)]] if model.waits else []
    jumps = [
        [f"time after {_between(one.low, one.high)}, times", _number(one.ratio, 1)] for one in model.switches
    ]
    return found + (jumps or [["jumps of more than 15 %", "none"]])


def _between(low: int, high: int) -> str:
    return f"{low:,} to {high:,} B"


def _fit_rows(model: Model) -> list[list[str]]:
    from weir.network.first_screen import GOOD

    left_out = [format_bytes(size) for line in model.one_way.lines for size in line.left_out]
    good = sum(abs(one.error) <= GOOD for one in model.predictions)
    predicted = f"{good} of {len(model.predictions)}"
    return [
        ["largest error of a measured size", _percent(model.worst)],
        ["noise from size to size", _percent(model.one_way.noise)],
        ["launches (intervals take 6)", f"{model.launches:,}"],
        *([["off all others, in no range", ", ".join(left_out)]] if left_out else []),
        *([[f"other calls predicted within {_percent(GOOD)}", predicted]] if model.predictions else []),
    ]


def _prediction_row(one: Prediction) -> list[str]:
    interval = (
        "" if one.low_s is None or one.high_s is None else f" [{_plain(one.low_s)}, {_plain(one.high_s)}]"
    )
    name = f"{one.call.function} {format_bytes(one.call.bytes)}"
    shown = [f"{_plain(one.measured_s)}{interval}", _plain(one.predicted_s)]
    return [name, str(one.count), *shown, f"{one.error:+.0%}"]


def _us(one: Estimate) -> str:
    return _number(one, 1e6)


def _rate(byte_s: Estimate) -> str:
    """G as bandwidth; the ends change places."""
    if not byte_s.value:
        return "-"
    low, high = (None if not end else significant(1e-6 / end) for end in (byte_s.high, byte_s.low))
    return significant(1e-6 / byte_s.value) + (f" [{low}, {high or '…'}]" if low else "")


def _number(one: Estimate, scale: float) -> str:
    if one.value is None:
        return "-"
    text = significant(one.value * scale)
    if one.low is None or one.high is None:
        return text
    return f"{text} [{significant(one.low * scale)}, {significant(one.high * scale)}]"


def _plain(time_s: float) -> str:
    return significant(time_s * 1e6)


def _percent(share: float) -> str:
    return f"{share:.0%}".replace("%", " %")
