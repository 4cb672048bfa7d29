"""Training of players: weights tuned by evolution, with a certificate."""
