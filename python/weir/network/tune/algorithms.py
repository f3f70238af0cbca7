"""Which algorithms an MPI library offers for a collective, and the variables that choose one."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from weir.errors import WeirError
from weir.launch.mpirun import Flavour, ask_ompi_info

FOR_TWO = "two_proc"
"""Open MPI's algorithms of that name fail on other numbers of ranks."""
_FORCED = {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1"}
_ENUMERATOR = re.compile(
    r"mca:coll:tuned:param:coll_tuned_(?P<function>\w+)_algorithm:enumerator:value:(?P<number>\d+):(?P<name>\w+)"
)


@dataclass(frozen=True)
class Algorithm:
    """One that can be forced, by the name that the library gives it."""

    function: str
    """In lower case: "allreduce"."""
    name: str
    env: tuple[tuple[str, str], ...]
    """The variables that force it, for messages of every size."""


def offered_algorithms(mpirun: str, flavour: Flavour) -> list[Algorithm]:
    """All that the MPI of this mpirun offers. Raises WeirError where it does not tell."""
    if flavour is not Flavour.OPEN_MPI:
        raise WeirError(
            f"which algorithms {flavour.value} offers is not known",
            "only Open MPI lists them, by ompi_info",
            "compare those that you know in a study whose axis env sets their variables",
        )
    found = parse_open_mpi(ask_ompi_info(mpirun, "--param", "coll", "tuned", "--level", "9", "--parsable"))
    if not found:
        raise WeirError(
            "which algorithms this Open MPI offers is not known",
            f"there is no ompi_info beside '{mpirun}', or it lists none of its component coll/tuned",
            "put the ompi_info of that Open MPI in PATH",
        )
    return found


def parse_open_mpi(lines: Iterable[str]) -> list[Algorithm]:
    """From what ompi_info prints; 0 leaves the choice to the library, and is none."""
    matches = [match for line in lines if (match := _ENUMERATOR.fullmatch(line.strip()))]
    return [
        Algorithm(
            match["function"],
            match["name"],
            (*_FORCED.items(), (f"OMPI_MCA_coll_tuned_{match['function']}_algorithm", match["number"])),
        )
        for match in matches
        if match["number"] != "0"
    ]


def algorithms_of(offered: Iterable[Algorithm], function: str, ranks: int) -> list[Algorithm]:
    """Those of a function by the name that IMB gives it, for so many ranks."""
    return [
        one for one in offered if one.function == function.lower() and (ranks == 2 or one.name != FOR_TWO)
    ]
