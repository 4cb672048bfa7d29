"""The gate: judges if scenarios play as they were accepted and as they are expected to."""
