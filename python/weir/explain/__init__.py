"""What a trace says: its tables, what stands out in them, and how they are shown."""
