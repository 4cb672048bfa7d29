def more():
    return more()


more()
