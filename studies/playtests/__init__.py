"""Games played by people: records, files, saved games and model fitting."""
