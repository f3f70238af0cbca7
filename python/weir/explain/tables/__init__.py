"""The tables of a trace, each made in one pass over its calls."""
