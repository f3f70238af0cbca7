"""What dumps through the array library cost."""
