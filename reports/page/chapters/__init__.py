"""The chapters of a report: a module for each question of a designer, and the whole of them."""
