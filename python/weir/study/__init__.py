"""A study: axes to sweep, written by a person, turned into cases that the core can run."""
