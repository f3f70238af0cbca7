"""The command line: one module a verb, with all that it alone uses; what several share is in modules whose
names begin with an underscore.

A module here whose name has no leading underscore is a verb (but for `main`), named like the module, and its
function `command` is what runs; its signature gives the options and its docstring the help;
its attribute `context_settings`, where it has one, goes to the command-line library. It may return an
ExitCode. A package without leading underscore is a verb with commands, a module each, and its docstring the
help. Modules must be light to import: what is heavy is imported inside `command`, so that `weir
--help` is quick.
"""
