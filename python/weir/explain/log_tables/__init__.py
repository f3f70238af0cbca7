"""Tables of other tools' logs, from their counters: one module an importer, of its name."""
