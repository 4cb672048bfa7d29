"""From results to answers: estimates, comparisons, verdicts, tables, plots, pages."""

if __name__ != "hardmode.reports":
    raise ImportError("reports is a part of hardmode: import hardmode.reports")
