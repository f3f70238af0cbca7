"""Figures as data: one module a figure, each a pure function from rows to a drawing of Vega-Lite specs.

A module here without leading underscore, save for `drawing` and `export`, is a figure; it registers its
function under the name that a study's `figure = "…"` asks for.
"""
