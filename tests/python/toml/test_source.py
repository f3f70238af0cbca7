import tomllib

from weir.toml.source import locate_keys

TEXT = '''# comment with [brackets] and "quotes"
[study]
name = "x" # = "y"
title = """
several = "lines"
[[comparison]]
"""
"quoted.key" = 'it''s'.x

[fixed]
a.b = 1
env = { X = "1", Y = "}" }
# and a comment, for the count

[[comparison]]
name = "one"
axes = { transfer = ["1KiB",
                     "2KiB"], ranks = [1, 2] }
  [comparison.fixed]
  block = "1MiB"

[[comparison]]
name = "two"
[comparison.axes]
layout = [
  "shared",  # ] not the end
  "file-per-process",
]
'''.replace("'it''s'.x", "'it'")


def test_every_key_is_found_on_its_line() -> None:
    tomllib.loads(TEXT)
    lines = locate_keys(TEXT)
    expected = {
        ("study",): 2,
        ("study", "name"): 3,
        ("study", "title"): 4,
        ("study", "quoted.key"): 8,
        ("fixed", "a", "b"): 11,
        ("fixed", "env", "X"): 12,
        ("fixed", "env", "Y"): 12,
        ("comparison", 0): 15,
        ("comparison", 0, "name"): 16,
        ("comparison", 0, "axes", "transfer", 0): 17,
        ("comparison", 0, "axes", "transfer", 1): 18,
        ("comparison", 0, "axes", "ranks"): 18,
        ("comparison", 0, "fixed", "block"): 20,
        ("comparison", 1): 22,
        ("comparison", 1, "axes"): 24,
        ("comparison", 1, "axes", "layout"): 25,
        ("comparison", 1, "axes", "layout", 1): 27,
    }
    assert {key: lines[key] for key in expected} == expected


def paths(value: object, path: tuple[str | int, ...] = ()) -> set[tuple[str | int, ...]]:
    found = {path} if path else set()
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        found |= paths(inner, (*path, key))
    return found


def test_no_key_is_missed_and_none_made_up() -> None:
    assert set(locate_keys(TEXT)) == paths(tomllib.loads(TEXT))


def test_odd_but_valid_toml() -> None:
    text = "a = 2026-11-20 07:32:00\n"
    text += "b=[[1,2],[{x=1}]]\nc = '''\n]''''\nd = \"\"\"\\\"\"\"\"\"\n[ e . 'f g' ]\n\th = 1e6\r\n"
    assert set(locate_keys(text)) == paths(tomllib.loads(text))
    assert locate_keys(text)[("e", "f g", "h")] == text.count("\n")
