"""Files of FLASH, and of FLASH-IO, the benchmark made of its output: opened, checked, drawn."""
