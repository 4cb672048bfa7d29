"""Games played by people: records, saved games, hints, and the fit of the model to them."""
