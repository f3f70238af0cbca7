"""The kinds of things that verbs are handed; each module registers its own."""
