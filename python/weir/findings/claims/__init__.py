"""What a paper found, held against what was measured here.

A claim stands in a study, with its source. A module here with a class under `@rule(NAME)` is a rule by which
claims are decided, from measured intervals alone.
"""
