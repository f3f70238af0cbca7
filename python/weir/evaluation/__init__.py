"""The whole machine: memory, compute, network and storage of one run beside each other."""
