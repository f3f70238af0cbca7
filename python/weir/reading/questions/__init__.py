"""Its figures and rules for claims."""
