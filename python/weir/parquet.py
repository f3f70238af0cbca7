"""Apache Parquet's library, which is not installed with Weir's base."""

from __future__ import annotations

import importlib
from typing import Any

from weir.errors import WeirError


def parquet_library() -> tuple[Any, Any]:
    """pyarrow and pyarrow.parquet. Raises WeirError where they are not installed."""
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise WeirError(
            "cannot write Parquet",
            "the package pyarrow is not installed",
            "install it: pip install 'weir[parquet]'",
        ) from error
