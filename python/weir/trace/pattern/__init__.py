"""From a trace to a pattern: what a program did as the shortest nests of strides that say exactly that."""
