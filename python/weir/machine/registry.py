"""Packages whose modules register themselves when they are imported."""

import importlib
import pkgutil
from types import ModuleType


def import_all(package: ModuleType) -> None:
    """Imports each module of the package."""
    for module in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
