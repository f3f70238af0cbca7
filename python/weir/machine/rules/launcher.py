"""Can ranks be started at all?"""

from weir.machine.rules import Card, Warning_, rule, warn


@rule("no-launcher")
def no_launcher(card: Card) -> Warning_ | None:
    """No mpirun was found, or it does not answer."""
    if card["mpi"].get("launcher"):
        return None
    why = card["mpi"].get("launcher_fails")
    if why:
        return warn(
            f"the mpirun in PATH does not tell its version: {why}",
            "`weir run` starts ranks with it, and nothing can be measured without",
            "try `mpirun --version` by hand, and put an mpirun that works first in PATH",
        )
    return warn(
        "there is no mpirun in PATH",
        "`weir run` starts ranks with it, and nothing can be measured without",
        "load the module of the MPI that weir-core was built with, or put its mpirun into PATH",
    )
