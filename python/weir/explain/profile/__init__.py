"""Where each phase of a program spends its time: in which kinds of calls, on which ranks."""
