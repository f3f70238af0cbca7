"""From operations of ranks to the steps of a pattern."""
