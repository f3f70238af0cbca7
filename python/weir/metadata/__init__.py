"""Creating, opening, looking up and removing files."""
