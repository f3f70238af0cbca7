"""Ways to start the core on several ranks: one class a launcher, each registering itself."""
