#!/usr/bin/env python3
"""The page of a trace of a million calls in headless Chromium: its size, the time until its timeline is first
drawn, and how long the picture takes after each zoom. The trace is made by rule."""

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / ".venv" / "bin" / "python"
GOAL_BYTES, GOAL_FIRST_S, GOAL_ZOOM_S = 5_000_000, 2.0, 0.1
SHAPES = ((4, 250_000), (64, 15_625), (1024, 977), (65_536, 15), (16, 625_000))
ZOOMS = """
    const times = [];
    const arrived = [];
    for (const place of [0.12, 0.5, 0.83]) {
        view.whole();
        for (let zoom = 0; zoom < 14; zoom++) {
            const began = performance.now();
            view.zoom(2, view.runNs * place);
            if (zoom % 3 === 2) view.zoomLanes(1.7);
            timeline.draw();
            times.push(performance.now() - began);
            await drawn();
            arrived.push(performance.now() - began);
        }
    }
    return { first: performance.getEntriesByName("timeline drawn")[0].startTime, times, arrived };
"""


def main() -> int:
    """Measure, print, and say by the exit status whether the goals are met."""
    sys.path.insert(0, str(ROOT / "tests" / "python"))
    met = [show(ranks, of_each) for ranks, of_each in SHAPES]
    return 0 if all(met) else 1


def show(ranks: int, of_each: int) -> bool:
    """Measure a page of so many calls, and print a line."""
    from explain.page.browser import asked  # noqa: PLC0415 (of the environment)
    from explain.page.synthetic import trace  # noqa: PLC0415
    from weir.explain.page.render import write_page  # noqa: PLC0415
    from weir.explain.summarise import summarise  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        some = trace(ranks, of_each)
        summary = summarise(some)
        began = time.perf_counter()
        size = write_page(summary, some, page)
        wrote_s = time.perf_counter() - began
        found = asked(page, {"zooms": ZOOMS})["zooms"]
    return show_line(f"{ranks:,} ranks, {some.records:,} calls", size, wrote_s, found)


def show_line(name: str, size: int, wrote_s: float, found: dict[str, Any]) -> bool:
    """The numbers beside their goals."""
    times, arrived = sorted(found["times"]), sorted(found["arrived"])
    first_s, longest_s = found["first"] / 1000, times[-1] / 1000
    met = size <= GOAL_BYTES and first_s <= GOAL_FIRST_S and longest_s <= GOAL_ZOOM_S
    print(
        f"{name:34} {size / 1e6:.2f} MB (goal {GOAL_BYTES / 1e6:.0f}), first view {first_s:.2f} s "
        f"(goal {GOAL_FIRST_S:.0f}), zoom median {times[len(times) // 2]:.0f} ms, longest of {len(times)} "
        f"{times[-1]:.0f} ms (goal {GOAL_ZOOM_S * 1000:.0f}), calls after at most {arrived[-1]:.0f} ms; "
        f"written in {wrote_s:.1f} s: {'met' if met else 'MISSED'}"
    )
    return met


if __name__ == "__main__":
    if Path(sys.prefix) != PYTHON.parents[1]:
        os.execv(PYTHON, [str(PYTHON), __file__])
    sys.exit(main())
