"""Questions about nodes that were measured one by one."""
