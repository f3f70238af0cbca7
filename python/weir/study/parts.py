"""The parts of a study, each with a share of its time: what is wrong with them in a file."""

from weir.errors import did_you_mean
from weir.study.schema import StudyFile
from weir.toml.source import Source
from weir.units import parse_share


def check_parts(file: StudyFile, source: Source) -> None:
    """Raises WeirError, with the line: where there are parts, each comparison belongs to one of them, each
    has a name of its own, and a share above 0."""
    names = [part.name for part in file.part]
    for index, part in enumerate(file.part):
        place = ("part", index)
        if part.name in names[:index]:
            raise source.error((*place, "name"), f"two parts are called '{part.name}'", "", "rename one")
        with source.placing((*place, "share")):
            share = parse_share(part.share)
        if share <= 0:
            why = "a part without time measures nothing"
            raise source.error((*place, "share"), f"share is {part.share}", why, 'write share = "25%"')
    for index, comparison in enumerate(file.comparison):
        if comparison.part and comparison.part not in names:
            raise source.error(
                ("comparison", index, "part"),
                f"there is no part '{comparison.part}'",
                "" if names else "the study has no [[part]]",
                did_you_mean(comparison.part, names)
                if names
                else f'add [[part]] with name = "{comparison.part}" and share = "25%"',
            )
        if names and not comparison.part:
            raise source.error(
                ("comparison", index),
                f"comparison '{comparison.name}' belongs to no part",
                "where a study has parts, all its time is theirs",
                f'add part = "{names[0]}"',
            )


def shares_of(file: StudyFile) -> dict[str, float]:
    """The share of each part by its name, as written."""
    return {part.name: parse_share(part.share) for part in file.part}
