"""What a team learns from its last turn about the list that it met."""

import hardmode.sim.games.trapwords.names as n
from hardmode.sim.records import rule

UNKNOWN = -1


@rule
def find_last_list(box, table, team):
    """Return how the last list was filled against a team that goes a long way round, or UNKNOWN.

    The table shows how much a word of the last clue told and how often it met a trap. Together they say which scene
    of the library it was and how the list was filled.
    """
    told, burnt, words, half = table.worth[team], table.hazard[team], n.Filter.FAR, box.part[1 - team]
    if told <= 0:  # the team has had no turn yet
        return UNKNOWN
    for shelf in range(n.SHELVES):
        for scene in range(box.scenes):
            if box.worth[shelf, words, scene] == told:
                for trappers in range(n.TRAPPERS):
                    if box.hazard[half, shelf, trappers, words, scene] == burnt:
                        return trappers
    return UNKNOWN
