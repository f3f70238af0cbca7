"""The formats that a trace can be exported in: one module a format, called like it, registering its class."""
