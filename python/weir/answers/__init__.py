"""What Weir says, as data: judges give answers, faces show them; between the two stand tables of words."""
