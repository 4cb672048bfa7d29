"""From results to answers: estimates, comparisons, verdicts, tables, plots, pages."""
