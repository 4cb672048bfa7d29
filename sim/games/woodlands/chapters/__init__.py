"""The chapters of the campaign."""
