"""What every game must hold to, whatever it is: the contract, checked by playing.

`hardmode check-game` runs these checks for shipped games and games from outside alike.
"""
