"""Tables of what a run did, compared with those that others published.

A module here with a function under `@table(NAME, COLUMNS)` is a table that studies can ask for.
"""
