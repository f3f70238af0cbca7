"""The nodes that a study is run on one by one: those that a person names, or else those of the job."""

import sys
from typing import TYPE_CHECKING

from weir.cli._options import StudyRequest
from weir.errors import WeirError
from weir.units import count_words

if TYPE_CHECKING:
    from weir.study.load import Study


def on_nodes(study: "Study", request: StudyRequest) -> "Study":
    """The study with its nodes, if it is run on each by itself; else itself. Raises WeirError for nodes of
    another study, none of this, and what is no list of nodes."""
    from weir.analyse.outlying import FEWEST
    from weir.launch.base import usable_cores
    from weir.launch.nodes import cores_of, named_nodes, nodes_of_file, nodes_of_job

    given = {"--nodes": request.nodes, "--hostfile": request.hostfile}
    named = [option for option, value in given.items() if value is not None]
    if not study.file.study.per_node:
        if named:
            raise WeirError(
                f"study '{study.name}' takes no {named[0]}",
                "it is not run on each node by itself",
                "choose one with per_node = true, such as nodes",
            )
        return study
    if len(named) > 1:
        raise WeirError("both --nodes and --hostfile name nodes", "", "give one of them")
    if request.keep:
        raise WeirError("--keep is not for nodes", "their files lie on each node", "leave it away")
    if request.nodes is not None:
        found = named_nodes(request.nodes)
    else:
        found = nodes_of_file(request.hostfile) if request.hostfile else nodes_of_job()
    if not found:
        raise WeirError(
            f"study '{study.name}' is run on each node by itself, and no node is named",
            "this is no job of Slurm, PBS or LSF",
            "name them: --nodes 'n[01-16]', or --hostfile FILE",
        )
    if len(found) < FEWEST:
        count = count_words(len(found), "node")
        print(f"weir: {count}: which one is ill takes {FEWEST} or more", file=sys.stderr)
    return study.on_nodes(found, cores_of(found, usable_cores()))
