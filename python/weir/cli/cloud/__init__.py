"""Look at what the gas cloud's dumps hold."""
