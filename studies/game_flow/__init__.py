"""Course of a game: when it is decided, where it turns, and how long turns take."""
