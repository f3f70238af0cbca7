"""The reference of machine models, as their keys themselves are declared."""

from collections.abc import Iterator

from weir.simulate.schema import keys_of, tables


def key_tables() -> Iterator[str]:
    """Lines of Markdown: a section a table of the file, a row a key."""
    for place, table in tables():
        what = (table.__doc__ or "").partition(": ")[2]
        yield from (f"## `[{'.'.join(place)}]`", "", what[:1].upper() + what[1:], "")
        yield from ("| key | | what | default |", "|---|---|---|---|")
        for name, key in keys_of(table).items():
            yield f"| `{name}` | {key.kind.what} | {key.means} | {key.default} |"
        yield ""
