STRATEGIES = {3: 4}


def mine(box, table, own, options, n, luck, weights):
    return 0
