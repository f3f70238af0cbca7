"""How `weir list` finds and shows what there is."""
