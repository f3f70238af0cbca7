"""Tables of what a run did, beside those that others printed.

A module here with a function under `@table(NAME, COLUMNS)` is a table that studies can ask for.
"""
