"""Where the chapters of the campaign hang in the course of the game."""

from sim.records import rule


@rule
def chapter_task(box, table, hidden, luck, task, a, b, c):
    pass


@rule
def settle_campaign(box, table, hidden, luck):
    table.ending = table.over - 1
