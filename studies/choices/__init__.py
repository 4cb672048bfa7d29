"""Value of single choices and use of the game's components."""
