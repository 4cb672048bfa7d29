"""Exact values of the games in examples/, each computed without hardmode, and the table that compares both."""
