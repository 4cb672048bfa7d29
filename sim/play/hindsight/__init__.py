"""Search with hindsight: what a game could have brought to a player who knew all of its draws.

All draws of a game are fixed by its key (`sim.draws`), so that a solver which looks at them sees a
puzzle without chance. The solver chooses for one seat, or for all seats of a cooperative game; the
other seats follow their strategies, whose own randomness is known as well. No player wins more
games than such a solver, so the share that it wins is an upper bound. It may be far too high, since
the solver takes only those risks of which it knows that they end well.

The bound comes down to what players can reach if the solver pays for its foresight (information
relaxation; Brown, Smith and Sun 2010). After each step it is charged what the draws of this step
were worth: the value of the position that they led to, less the mean value over all draws that were
possible. A player who does not know the draws pays nothing on average, so the most that the solver
keeps on average is still an upper bound for such players. This is true whatever the values are. If
they are exact, foresight brings nothing at all, and the bound is what the best player wins.

- `positions`: the memory of a search, and what is done with one position.
- `charges`: the values by which foresight is charged for, and how they are learned.
- `tree`: the search of all that can be done in a game.
- `solver`: compiling, and the interface for Python.
"""
