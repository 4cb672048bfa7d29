"""The commands: each parses nothing itself, calls a study, and prints its answer."""
