"""Questions that measured rows answer, a module each: the finding in words, its figure, and rules for claims.

A function under `@figure(NAME)` here is a figure that studies ask for by `figure = NAME`; a class under
`@rule(NAME)` decides claims. Pure: rows in, findings and drawings out.
"""
