"""Studies of papers on their modelled machines: what is simulated beside what is printed."""

from weir.registry import Registry
from weir.simulate.paper import Paper

papers: Registry[Paper] = Registry("weir.simulate.papers", "paper")
"""By the name that `weir reproduce` knows each by."""
