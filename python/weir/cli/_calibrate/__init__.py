"""How `weir calibrate` talks."""
