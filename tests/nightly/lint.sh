#!/usr/bin/env bash
# Format and style of everything, clang-tidy too.
set -euo pipefail
scripts/lint
echo "format, clang-tidy, ruff, mypy, shellcheck, codespell: nothing found"
