"""Search for settings that reach a target."""
