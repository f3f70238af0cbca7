"""Dumps of applications: shown and drawn by what they are. A kind of dump is a folder of this package's
neighbours with a module `dump_kind`, which registers it."""
