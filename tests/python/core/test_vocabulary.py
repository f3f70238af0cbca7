"""What values of options are called, by what a run kept of its core."""

from typing import Any

import pytest

from weir.core import vocabulary
from weir.core.vocabulary import NO_WORDS, Vocabulary, kept_of_core, vocabularies

SCHEMA: dict[str, Any] = {
    "version": "1",
    "sample_words": {"sync": {"never": "not synced"}},
    "benchmarks": [
        {
            "name": "mine",
            "summary": "of a user",
            "options": [
                {
                    "name": "order",
                    "default": "up",
                    "words": {"down": "downwards", "any": ""},
                },
                {"name": "part", "unit": "B", "default": 8, "words": {"0": "no parts", "*": "parts of {}"}},
                {"name": "box", "default": "1x1", "words": {"*": "{} cells"}},
                {"name": "fast", "default": False, "words": {"true": "quickly", "false": "slowly"}},
                {"name": "plain", "unit": None, "default": 1},
            ],
        }
    ],
}


@pytest.fixture
def mine() -> Vocabulary:
    return vocabularies(kept_of_core(SCHEMA))["mine"]


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("order", "down", "downwards"),
        ("order", "any", ""),
        ("order", "up", None),
        ("part", 0, "no parts"),
        ("part", 1 << 20, "parts of 1 MiB"),
        ("box", "16x12x8", "16 x 12 x 8 cells"),
        ("fast", True, "quickly"),
        ("plain", 3, None),
        ("unheard", 3, None),
    ],
)
def test_values_have_the_words_of_their_declaration(
    mine: Vocabulary, option: str, value: Any, said: str | None
) -> None:
    assert mine.say(option, value) == said


def test_what_differs_from_the_default_is_unusual(mine: Vocabulary) -> None:
    assert mine.unusual({"order": "up", "part": 16, "box": "1x1", "plain": 7}) == ["part"]


def test_values_in_samples_have_words_too(mine: Vocabulary) -> None:
    assert mine.say_of_sample("sync", "never") == "not synced"
    assert mine.say_of_sample("sync", "odd") == "odd"


def test_a_run_keeps_words_but_no_help(mine: Vocabulary) -> None:
    (kept,) = kept_of_core(SCHEMA)["benchmarks"]
    assert set(kept) == {"name", "summary", "units", "words", "defaults"}
    assert kept["units"] == {"part": "B"} and "plain" not in kept["defaults"]


@pytest.mark.parametrize(
    "core", [None, {}, {"benchmarks": [{"name": "mine", "units": {}}]}, {"benchmarks": 3}]
)
def test_a_run_without_words_takes_those_of_the_installed_core(
    core: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vocabulary, "_installed", lambda: kept_of_core(SCHEMA))
    assert vocabularies(core)["mine"].say("order", "down") == "downwards"
    monkeypatch.setattr(vocabulary, "_installed", dict)
    assert vocabularies(core).get("mine", NO_WORDS).say("order", "down") is None
