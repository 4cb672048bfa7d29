"""Sensitivity analysis: effect of one plausible step of each number of the box."""
