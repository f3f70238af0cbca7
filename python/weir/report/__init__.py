"""A run as one HTML page that works offline, or the same as data."""
