"""Pages on a phone and on a laptop, in headless Chromium."""

import json
from importlib import resources
from pathlib import Path
from trace.synthetic import rows_of_rank, write_trace
from typing import Any

import pytest

from explain.page.browser import chromium
from running import ended
from synthetic_run import write_run
from verbs import weir_here as weir

ROW = """<tr><td class="dot">●</td><th><a href="#x">Statements of the paper</a>
<small>H. Shan and J. Shalf, LBNL, 2007, escholarship.org/uc/item/9111c60j/and/a/longer/address</small></th>
<td>11 hold, 5 do not, 3 undecided</td><td class="bar"></td><td class="action">prefer ROMIO</td></tr>"""


def test_a_long_address_pushes_no_action_out_of_sight(tmp_path: Path) -> None:
    style = resources.files("weir.report").joinpath("assets/style.css").read_text(encoding="utf-8")
    page = tmp_path / "page.html"
    page.write_text(
        f'<!DOCTYPE html><meta charset="utf-8"><style>{style} main {{ width: 390px; }} '
        f'</style><main><table class="answers">{ROW}</table></main><script>'
        "document.title = document.querySelector('table').getBoundingClientRect().width</script>",
        encoding="utf-8",
    )
    command = [*chromium(tmp_path / "profile"), "--window-size=500,800", "--dump-dom", page.as_uri()]
    width = float(ended(*command).stdout.split("<title>")[1].split("</title>")[0])
    assert width <= 390


PHONE, LAPTOP = (390, 800), (1280, 800)
MEASURE = """<script>addEventListener("load", () => setTimeout(() => parent.postMessage(JSON.stringify({
  page: document.documentElement.scrollWidth,
  picture: document.querySelector(".first .figure, .first .pictures")?.getBoundingClientRect().bottom ?? 0,
  rows: [...document.querySelectorAll(".first .answers tr")].map((one) => one.getBoundingClientRect().bottom),
}), "*"), 1500))</script></body>"""
"""What of a page is measured, when its pictures are drawn."""
AROUND = """<body style="margin: 0">
<iframe src="inner.html" style="width: {}px; height: {}px; border: 0"></iframe>
<script>onmessage = (message) => {{ document.title = message.data; }}</script>"""
"""No window of a browser is as narrow as a phone's."""


def measured(page: Path, size: tuple[int, int]) -> dict[str, Any]:
    """Widths and places in pixels, in a window of this size."""
    folder = page.parent / "browser"
    folder.mkdir(exist_ok=True)
    (folder / "inner.html").write_text(page.read_text(encoding="utf-8").replace("</body>", MEASURE))
    (folder / "outer.html").write_text(AROUND.format(*size))
    command = [*chromium(folder / "profile"), "--window-size=1400,900", "--virtual-time-budget=9000"]
    said = ended(*command, "--dump-dom", (folder / "outer.html").as_uri()).stdout
    found: dict[str, Any] = json.loads(said.split("<title>")[1].split("</title>")[0])
    return found


def test_a_long_citation_pushes_no_answer_off_the_first_screen(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert", reason="vl-convert-python, which draws, is not installed")
    run = write_run(tmp_path, study_name="cxfs-flash-io")
    assert weir("report", run).exit_code == 0
    laptop = measured(run / "report.html", LAPTOP)
    assert len(laptop["rows"]) == 6 and laptop["rows"][-1] <= LAPTOP[1] and laptop["picture"] > 0
    phone = measured(run / "report.html", PHONE)
    assert phone["page"] <= PHONE[0] and 0 < phone["picture"] <= PHONE[1]


def test_a_page_of_a_trace_needs_no_scrolling_to_the_side(tmp_path: Path) -> None:
    trace = write_trace(tmp_path / "T", {rank: rows_of_rank(rank) for rank in range(3)})
    for process in trace.glob("*.process"):
        process.write_text(process.read_text().replace("app -x", f"/{'long' * 50}/app -x"))
    assert weir("explain", trace).exit_code == 0
    phone = measured(trace / "page.html", PHONE)
    assert phone["page"] <= PHONE[0] and 0 < phone["picture"] <= PHONE[1]
