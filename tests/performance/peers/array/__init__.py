"""Ways to dump a distributed array, beside each other."""
