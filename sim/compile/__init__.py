"""Compilation of rules and strategies to machine code, and its cache."""
