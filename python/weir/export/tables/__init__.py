"""The tables that a run can be exported as: one module a table, called like it, registering its function."""
