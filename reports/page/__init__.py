"""The difficulty report: one HTML page with its tables, plots and files."""
