"""Patterns of applications that Weir does not run, from what is public of their I/O.

One module each, with a function under `@workload(NAME)` that makes the pattern for so many ranks; its
docstring says what is written, and the sources.
"""

from collections.abc import Callable

from weir.pattern import Pattern
from weir.registry import Registry

workloads: Registry[Callable[[int, int], Pattern]] = Registry("weir.workloads", "workload")
"""Each takes the ranks, and the size of what a rank has in the application's own unit."""
workload = workloads.register
