"""Measured rows of a run, and the words for them. Pure: records in, rows and words out."""
