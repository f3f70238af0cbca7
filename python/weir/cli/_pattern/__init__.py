"""What `weir pattern` prints."""
