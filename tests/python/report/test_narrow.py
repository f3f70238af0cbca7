"""The first screen on a phone, in headless Chromium."""

from importlib import resources
from pathlib import Path

from explain.page.browser import chromium
from running import ended

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
