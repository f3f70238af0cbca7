"""`weir boost`: collective MPI-IO of unmodified programs by the two-phase exchange."""

from typing import Annotated

import typer

from weir.handed.takes import Takes

CommandArgument = Annotated[
    list[str],
    typer.Argument(metavar="-- PROGRAM ...", help="The program with its arguments, or a launcher with them."),
    Takes(("program",), first=True),
]
TAKES_A_COMMAND = {"ignore_unknown_options": True, "allow_interspersed_args": False}


def command(program: CommandArgument) -> int:
    """Run PROGRAM unchanged with faster collective MPI-IO: weir boost -- mpirun -np 8 ./app INPUT.

    Its files, input, output and exit status are the same. At its end, a line on standard error says which
    calls Weir carried out and which it left to MPI.
    """
    from weir.boost.run import boost

    boost(program)


command.context_settings = TAKES_A_COMMAND  # type: ignore[attr-defined]
