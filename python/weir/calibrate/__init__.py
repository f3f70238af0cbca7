"""The caching protocol of Shan and Shalf (SC 2007), section 5.2: how large files must be to measure storage,
not memory."""
