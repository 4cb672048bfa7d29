"""The gate: plays as many games as it takes to say whether a scenario is as it was accepted, and as expected."""
