"""Comparison: two runs or more, or folders of repeated runs, row by row, with verdicts that hold."""
