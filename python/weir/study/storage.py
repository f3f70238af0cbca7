"""Whether a study leaves it to the command line which storage is measured."""

from weir.core.front_options import DIRECTORY_OPTION
from weir.core.schema import Schema
from weir.study.load import Study

_BENCHMARK = "benchmark"


def leaves_directory(study: Study, schema: Schema) -> bool:
    """Whether a comparison that is run works in a directory and states none. What is wrong with the study
    besides is for `expand` to say."""
    for comparison in study.comparisons:
        stated = {**study.file.fixed, **comparison.fixed, **comparison.axes}
        if comparison.name in study.not_asked or DIRECTORY_OPTION in stated:
            continue
        named = comparison.axes.get(_BENCHMARK) or [stated.get(_BENCHMARK)]
        found = [schema.benchmark(name) for name in named if isinstance(name, str)]
        if any(one is not None and one.option(DIRECTORY_OPTION) is not None for one in found):
            return True
    return False
