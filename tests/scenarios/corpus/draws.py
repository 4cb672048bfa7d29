import random


def mine(box, table, own, options, n, luck, weights):
    return random.randrange(n)
