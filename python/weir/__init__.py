"""Weir: measures, explains, predicts and improves how data flows through parallel machines."""

__version__ = "0.1.0"
