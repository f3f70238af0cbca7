"""The guidelines, each a small declaration that registers itself."""
