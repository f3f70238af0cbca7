"""The formats that a run can be exported in: one module a format, called like it, registering its class."""
