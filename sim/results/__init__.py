"""Results of games: rows, tallies, histograms and result files."""
