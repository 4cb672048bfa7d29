"""How much any player can win at most: bounds by players who know the draws."""
