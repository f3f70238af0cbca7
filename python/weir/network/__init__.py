"""What measurements of messages say about a machine's network."""
