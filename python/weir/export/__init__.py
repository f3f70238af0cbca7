"""A run in other programs' formats: one module a format in `formats`, one module a table in `tables`.

Data in, data out: only the caller opens files.
"""
