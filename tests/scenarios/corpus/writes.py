def mine(box, table, own, options, n, luck, weights):
    table.ending = 0
    return 0
