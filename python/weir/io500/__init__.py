"""What IO500 printed of others' storage, as a background for one's own."""
