"""What do the rules do wrong? Looks at a game for the faults that designers know, each with evidence.

Every look tests what it might report, at a share of one error rate that all looks have in common: with a probability
of at least the confidence, nothing in the whole list is there by chance.
"""
