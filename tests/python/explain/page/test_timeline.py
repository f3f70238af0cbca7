"""The timeline in a browser: what is drawn, found and told there."""

from pathlib import Path
from typing import Any

import pytest

from made_trace import CallRow, lane
from made_trace import trace as made
from weir.explain.page.render import write_page
from weir.explain.summarise import summarise

from .browser import asked
from .synthetic import trace

QUESTIONS = {
    "blocks": """
        timeline.draw();
        const seen = [[timeline.shows, store.decoded.size]];
        view.set(view.runNs * 0.5, view.runNs * 0.501);
        await drawn();
        seen.push([timeline.shows, store.decoded.size]);
        const { context, canvas, rows } = timeline;
        const pixels = context.getImageData(0, 0, canvas.width, canvas.height).data;
        const coloured = new Set();
        for (let at = 0; at < pixels.length; at += 4) coloured.add(pixels.slice(at, at + 4).join());
        return { seen, all: store.blocks.length, lanes: rows.lanes, coloured: coloured.size };
    """,
    "place": """
        longest.show(0);
        await drawn();
        const told = () => document.getElementById("timeline-tooltip").textContent;
        const first = told();
        const call = longest.shown[0];
        tooltip.hide();
        const { rows, place } = timeline;
        const y = place.top + rows.callsTopPx(call.lane) + 2 + call.level * rows.levelPx;
        await tooltip.at(timeline.xOf((call.begin + call.end) / 2), y);
        return { call, first, again: told(), outlined: timeline.outlined };
    """,
    "afar": """
        await drawn();
        tooltip.hide();
        timeline.outlined = null;
        const { place } = timeline;
        await tooltip.at(place.left - 5, place.top + 5);
        const outside = document.getElementById("timeline-tooltip").hidden;
        await tooltip.at(place.left + 300, place.top + 5);
        return { outside, told: document.getElementById("timeline-tooltip").textContent };
    """,
    "find": """
        const look = (word) => {
            longest.input.value = word;
            longest.input.dispatchEvent(new Event("input"));
        };
        look("mesh");
        const byFile = new Set(longest.shown.map((call) => timeline.head.calls[call.call][1]));
        look("no such thing");
        const none = longest.body.textContent;
        look("");
        return { byFile: [...byFile], none, again: longest.shown.length };
    """,
    "hide": """
        const { context, canvas } = timeline;
        const pixels = () => context.getImageData(0, 0, canvas.width, canvas.height).data;
        const ink = () => pixels().reduce((sum, part) => sum + part, 0);
        await drawn();
        const before = ink();
        const button = document.querySelector("[data-kind=read]");
        button.click();
        await drawn();
        const without = ink();
        button.click();
        await drawn();
        const pressed = button.getAttribute("aria-pressed");
        return { pressed, changed: before !== without, back: before === ink() };
    """,
    "zoom": """
        timeline.draw();
        const { canvas, place } = timeline;
        const box = canvas.getBoundingClientRect();
        const x = place.left + place.width / 4;
        const before = timeline.timeAt(x);
        const at = { clientX: box.left + x, clientY: box.top + place.top + 5, cancelable: true };
        canvas.dispatchEvent(new WheelEvent("wheel", { ...at, deltaY: -400 }));
        const wheel = [timeline.timeAt(x) - before, view.end - view.begin];
        canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "-", bubbles: true }));
        canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "0", bubbles: true }));
        return { wheel, whole: view.isWhole, run: view.runNs };
    """,
    "address": """
        view.go("#t=0.01,0.02&lanes=1,2");
        const opened = [view.begin, view.end, view.top, view.bottom];
        const fragment = view.fragment;
        view.whole();
        return { opened, fragment, whole: view.fragment, nonsense: view.go("#t=2,1&lanes=a") };
    """,
}


MARKS = """
    const { canvas, context } = timeline;
    const strip = () => {
        timeline.draw();
        const { left, top, ratio } = timeline.place;
        const at = [left + 30, top + timeline.rows.laneTopPx(0) + 3].map((px) => px * ratio);
        return context.getImageData(...at, 1, 1).data.join();
    };
    const shown = strip();
    document.querySelector("[data-kind=mark]").click();
    return { marks: timeline.head.marks.length, shown, hidden: strip() };
"""


def test_phases_are_bands_that_can_be_hidden(tmp_path: Path) -> None:
    rows: list[CallRow] = [("pwrite", 1, 900, 950, 0, 5, 5, 0), ("weir_mark_end", 4, 0, 1000, -1, 0, 0, 0)]
    some = made(lane(0, rows))
    write_page(summarise(some), some, tmp_path / "page.html")
    found = asked(tmp_path / "page.html", {"marks": MARKS})["marks"]
    assert found["marks"] == 1
    assert found["shown"] != found["hidden"]


NARROW = """
    timeline.canvas.parentElement.style.width = "400px";
    timeline.canvas.style.width = "400px";
    timeline.layOut();
    await drawn();
    const overview = document.getElementById("timeline-overview");
    return {
        state: document.getElementById("timeline-state").textContent,
        left: timeline.place.left,
        overview: Number.parseFloat(getComputedStyle(overview).marginLeft),
    };
"""


def test_one_row_is_not_several_and_the_overview_stands_below_it(tmp_path: Path) -> None:
    some = made(lane(0, [("pwrite", 1, 0, 950, 0, 5, 5, 0)]))
    write_page(summarise(some), some, tmp_path / "page.html")
    found = asked(tmp_path / "page.html", {"narrow": NARROW})["narrow"]
    assert ", the only row." in found["state"]
    assert found["left"] == found["overview"] == 64


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "trace.html"
    some = trace(4, 50_000)
    write_page(summarise(some), some, path)
    return path


@pytest.fixture(scope="module")
def answers(page: Path) -> dict[str, Any]:
    return asked(page, QUESTIONS)


def test_the_first_view_decodes_no_calls_and_a_near_one_only_those_it_shows(answers: dict[str, Any]) -> None:
    found = answers["blocks"]
    (first, none), (second, few) = found["seen"]
    assert (first, none, second) == ("shares", 0, "calls")
    assert 0 < few < found["all"]
    assert found["lanes"] == 4 and found["coloured"] > 10


def test_a_place_tells_its_call(answers: dict[str, Any]) -> None:
    found = answers["place"]
    assert "/scratch/run/" in found["first"] and "took" in found["first"]
    assert found["again"] == found["first"]
    assert found["outlined"] == found["call"] | {"away": 0}


def test_from_afar_a_place_tells_something_and_none_outside(answers: dict[str, Any]) -> None:
    assert answers["afar"]["outside"] is True
    assert "rank 0" in answers["afar"]["told"]


def test_finding_narrows_the_longest(answers: dict[str, Any]) -> None:
    found = answers["find"]
    assert found["byFile"] == ["pread"]
    assert "None of the longest" in found["none"] and found["again"] > 5


def test_a_hidden_kind_is_not_drawn(answers: dict[str, Any]) -> None:
    assert answers["hide"] == {"pressed": "true", "changed": True, "back": True}


def test_wheel_and_keys_zoom_where_they_should(answers: dict[str, Any]) -> None:
    found = answers["zoom"]
    moved, width = found["wheel"]
    assert abs(moved) < found["run"] / 100
    assert width < found["run"] / 2 and found["whole"]


def test_an_address_opens_its_view_and_a_view_has_its_address(answers: dict[str, Any]) -> None:
    found = answers["address"]
    assert found["opened"] == pytest.approx([1e7, 2e7, 1, 3])
    assert found["fragment"] == "t=0.01,0.02&lanes=1,2"
    assert found["whole"] == "" and found["nonsense"] is False
