"""How `weir run` carries out a study and shows a run."""
