"""Fit the model of a turn to what a table has observed.

    python -m hardmode.sim.games.trapwords.calibrate observed.csv [--fit PATH,PATH] [--out fitted.yaml]

The log has one line a turn, or one a kind of turn with a column `turns`. Columns: `length` (of the
trap list); `giver` and `trappers` (names of policies, cautious and obvious where missing); either
`cause` (success, trap, invalid, guesses, timer), `seconds` and `guesses` of one turn, or the shares
`success` and `trap` (of failures), `timer` (of failures), `seconds` (median of successes), `guesses`
(mean) of a kind of turn. What is missing is not fitted to. The README of this folder tells more.
"""
