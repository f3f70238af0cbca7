"""A run on disk: a directory whose samples are appended line by line and survive any kill."""
