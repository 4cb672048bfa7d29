"""Answers: tables, JSON, plots and pages of what studies estimate."""

if __name__ != "hardmode.reports":
    raise ImportError("reports is a part of hardmode: import hardmode.reports")
