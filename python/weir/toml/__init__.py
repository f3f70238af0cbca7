"""Files of TOML that people write: where each key stands, and what a file has wrong of its shape."""
