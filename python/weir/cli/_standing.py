"""A run among submissions to IO500, for `weir compare --background`."""

from pathlib import Path

from weir.cli._streams import print_json, print_table, tell_no_pictures
from weir.errors import ExitCode
from weir.printable import printable


def show_standing(path: Path, background: Path, page: Path | None, *, all: bool, as_json: bool) -> ExitCode:
    """Show where the run or profile stands; inconclusive where nothing of it is comparable."""
    from weir.cli._screen import print_screen
    from weir.io500.rows import HEADINGS, standings_data, table_rows
    from weir.io500.screen import standing_screen
    from weir.io500.standing import read_background, read_own, standings

    own = read_own(path)
    found = standings(own, read_background(background))
    if page is not None:
        from weir.io500.page import write_standing

        tell_no_pictures(write_standing(found, page))
    if as_json:
        print_json({"page": str(page) if page else None, **standings_data(found)})
    else:
        below = ["", printable(str(page))] if page else []
        print_screen(standing_screen(found), *below, more="weir compare --all")
        if all:
            print()
            print_table(HEADINGS, table_rows(found))
    return ExitCode.FINE if found.phases else ExitCode.INCONCLUSIVE
