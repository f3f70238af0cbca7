"""The page: whole, small, offline, and honest with and without figures."""

import html
import json
import os
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import synthetic_run
from verbs import weir_here
from weir.errors import WeirError
from weir.extras import how_to_install
from weir.report.build import build
from weir.report.gather import gather
from weir.report.page import Pictures, draw_pictures, render, write_page
from weir.store.run_directory import RunDirectory


def lines_of(run: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (run / "samples.jsonl").open()]


TWO_MB = 2_000_000
LOADED = re.compile(r"""(?:src|href)\s*=\s*["'](?!#)|@import|url\((?!#)""", re.IGNORECASE)


def page_of(run: Path, pictures: Pictures | None = None) -> str:
    return render(build(gather(RunDirectory(run))), pictures)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return synthetic_run.write_run(tmp_path_factory.mktemp("run"))


@pytest.mark.usefixtures("draws")
def test_the_page_is_small_and_loads_nothing(run: Path) -> None:
    report = build(gather(RunDirectory(run)))
    pictures = draw_pictures(report.all_drawings)
    assert isinstance(pictures, Pictures)
    assert len(render(report, pictures).encode()) < TWO_MB
    assert "cdn." not in pictures.program.lower()
    assert not LOADED.search(render(report, Pictures("", pictures.stills)))


def test_scripts_end_where_they_should(run: Path) -> None:
    page = page_of(
        run, Pictures("const end = '</script><b>';", dict.fromkeys([*FIGURES, "samples"], "<svg></svg>"))
    )
    assert "<\\/script><b>" in page
    assert page.count("</script>") == 3


FIGURES = ["transfer", "size", "ranks", "layout", "backend"]


def test_without_the_extra_the_page_says_how_to_get_figures(run: Path) -> None:
    page = page_of(run)
    assert how_to_install("figures").partition(": ")[2] in html.unescape(page)
    assert "<script" not in page
    assert "from here on within 10 %" in page


def test_a_caveat_is_said_once(run: Path) -> None:
    """What it says of the whole run; the number of rows with a flag is another matter."""
    page = page_of(run)
    words = re.sub(r"<[^>]*>", " ", page.partition('id="method"')[0])
    assert words.count("4 ranks share") == 1
    assert words.count("there were more ranks than cores") == 1
    sentences = Counter(re.findall(r"Syncs and caches:[^.]*\.", words))
    assert sentences and set(sentences.values()) == {1}
    assert words.count("from the cache, not from the device") == 1
    assert "came from memory" not in words


def test_every_case_is_in_the_table(run: Path) -> None:
    page = page_of(run)
    for case in {line["case"] for line in lines_of(run) if "case" in line}:
        assert f"case {case}" in page


@pytest.mark.parametrize(
    ("world", "there", "absent"),
    [
        (
            {"failing": frozenset({"collective"})},
            (
                "No space left on device",
                "Free space, or choose a smaller block.",
                "<td>MPI-IO independent</td><td>POSIX</td>",
            ),
            (),
        ),
        (
            {"failing": frozenset({*FIGURES, "size-through-cache", "collective"})},
            ("cases that failed: 26 of 26",),
            ("MiB/s</span>",),
        ),
        ({"in_memory": True}, ("the directory lies in memory",), ()),
    ],
    ids=["some failed", "all failed", "in memory"],
)
def test_what_went_wrong_is_shown(
    tmp_path: Path, world: dict[str, Any], there: tuple[str, ...], absent: tuple[str, ...]
) -> None:
    page = page_of(synthetic_run.write_run(tmp_path, synthetic_run.World(**world)))
    assert all(words in page for words in there) and not any(words in page for words in absent)


def test_words_of_the_run_cannot_become_markup(tmp_path: Path) -> None:
    run = synthetic_run.write_run(tmp_path)
    info = json.loads((run / "run.json").read_text())
    info["study"]["title"] = "<img src=x>"
    (run / "run.json").write_text(json.dumps(info))
    assert "<img src=x>" not in page_of(run)


@pytest.mark.usefixtures("draws")
def test_the_verb_writes_page_and_figures_and_prints_their_paths(run: Path, tmp_path: Path) -> None:
    out, figures = tmp_path / "a" / "r.html", tmp_path / "f"
    result = weir_here("report", run, "--out", out, "--figures", figures, "--format", "svg")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == str(out)
    assert sorted(path.stem for path in figures.iterdir()) == sorted(FIGURES)


def test_json_carries_plain_numbers(run: Path) -> None:
    data = json.loads(weir_here("report", run, "--json").stdout)
    assert data["schema"] == 1
    assert all(row["median"] > 0 and row["unit"] == "B/s" for row in data["rows"])


def test_rows_are_the_same_of_both_verbs(run: Path) -> None:
    shown, reported = (
        json.loads(weir_here(verb, run, "--json").stdout)["rows"] for verb in ("show", "report")
    )
    assert shown == reported and len(shown) > 1
    text = (Path(__file__).parents[3] / "docs" / "reference" / "results.md").read_text()
    table = text.partition("## Rows in")[2].partition("\n## ")[0]
    first = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert list(shown[0]) == re.findall(r"`(\w+)`", "".join(first))


def test_what_is_not_a_run_is_refused(tmp_path: Path) -> None:
    result = weir_here("report", tmp_path)
    assert result.exit_code == 2
    assert "is not a run" in result.stderr


def test_launches_that_died_and_were_tried_again_are_told_with_case_and_cause(tmp_path: Path) -> None:
    run = synthetic_run.write_run(tmp_path / "R")
    case = next(line for line in lines_of(run) if line["kind"] == "case")
    assert "Launches that died" not in page_of(run)
    died = {"schema": 1, "kind": "died", "cases": [case["case"]], "reason": "rank 1 was killed", "launch": 2}
    with (run / "samples.jsonl").open("a") as file:
        file.write(json.dumps(died) + "\n")
    page = page_of(run)
    assert "1 launch died: see Launches that died." in page
    assert f"Launch 2 died, with case {case['label']} (" in page and "Why: Rank 1 was killed." in page


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_a_place_that_cannot_be_written_is_refused_before_anything_is_drawn(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out.html"
    if kind == "link":
        out.symlink_to(tmp_path / "elsewhere")
    else:
        os.mkfifo(out)
    monkeypatch.setattr("weir.report.page.draw_pictures", lambda _: pytest.fail("it draws"))
    with pytest.raises(WeirError, match=r"out\.html"):
        write_page(synthetic_run.write_run(tmp_path / "R"), out)


def test_the_first_screen_tells_certainty_in_words_and_folds_caveats(run: Path) -> None:
    page = page_of(run)
    first = page[page.index('<header class="first">') : page.index("</header>")]
    assert '<span aria-hidden="true">●</span><span class="unseen">sure</span>' in first
    assert first.count("<tr>") <= 6 and "<svg" in first
    assert "<details" in first and 'href="#transfer"' in first
