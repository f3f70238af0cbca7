"""Parameters of the storage benchmark that imitate a pattern, and what they cannot express."""
