"""Weir beside the programs that people use today, measured as a user would run both.

Nothing here needs them to be installed: what is not on PATH is skipped and said.
"""
