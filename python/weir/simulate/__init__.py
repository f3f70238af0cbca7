"""Patterns on modelled machines: models, what a simulation says of one, what a change buys, fitting."""
