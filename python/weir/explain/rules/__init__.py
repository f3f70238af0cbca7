"""What stands out: a module for each rule, registered by `@rule`. Adding one is creating a module here."""
