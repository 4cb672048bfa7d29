"""The records of Trapwords: the box, what lies open on the table, what is hidden."""

import numpy as np

import hardmode.sim.games.trapwords.names as n
from hardmode.sim.contract import TABLE_HEAD

# What a card does to a turn; also what holds for a team in the present round, all its cards together.
Effect = np.dtype([
    ("traps", "i8"),  # added to the trap list
    ("share", "f8"),  # added to the trap list, as a share of the room's number
    ("guesses", "i8"),  # at most so many
    ("timer", "f8"),  # times the sand
    ("sand", "f8"),  # at most so many seconds
    ("clue_time", "f8"),  # times the time for a clue
    ("sentence", "f8"),  # at most this share of information does not hang on the words chosen
    ("word_time", "f8"),  # at most so many seconds a content word
    ("style", "i8"),  # row of the table of content words a clue; a lower row speaks fewer
    ("budget", "i8"),  # content words in the whole turn
    ("hold", "i8"),  # no guess before so many clues
    ("freeze", "i8"),  # no clue after the first guess
    ("invalid", "f8"),  # at least this chance of an invalid clue
    ("success", "f8"),  # times the chance of success
    ("back", "i8"),  # sends the team back one room when its word is hit
    ("curses", "i8"),  # a monster: curses drawn for a round against it
], align=True)

# How a clue-giver speaks; where there are two entries, the second holds from `until` on.
Manner = np.dtype([
    # filter: which words the clue-giver leaves out, a `Filter`; plan: seconds of planning a clue
    ("filter", "i8", (2,)), ("plan", "f8", (2,)),
    ("until", "f8"),  # share of the sand
    ("style", "i8"),  # row of the table of content words a clue
    ("hold", "i8"),  # no guess before so many clues
    ("budget", "i8"),  # content words in the whole turn
    ("sentence", "f8"),  # at most this share of information does not hang on the words chosen
], align=True)

Box = np.dtype([
    # n_rooms: how many rooms lie there; curse_name: letters of each curse; monster_name: letters of each monster
    ("rooms", "i8", (n.MOST_ROOMS,)), ("n_rooms", "i8"), ("slots", "i8", (n.MOST_ROOMS,)), ("rounds", "i8"),
    ("guesses", "i8"), ("curses", "i8"), ("monster", "i8"), ("starred", "i8"), ("size", "i8", (2,)),
    # new_monsters: monsters of one's own
    ("card", Effect, (n.CARDS,)), ("new_monsters", "i8"),
    ("curse_name", "i1", (n.CURSES, n.NAME)), ("monster_name", "i1", (n.MONSTERS, n.NAME)),
    # switches by the names of their readings, then those that are yes or no
    ("first_book", "i8"), ("forbidden_word", "i8"), ("timer_start", "i8"),
    ("clear_room_last", "i8"), ("stay", "i8"), ("sticky", "i8"), ("per_team", "i8"), ("draw_each", "i8"),
    ("no_curse", "i8"), ("redraw", "i8"), ("frozen_monster", "i8"), ("leader_wins", "i8"), ("retroactive", "i8"),
    ("may_fail", "i8"), ("most_traps", "i8"), ("reveal_late", "i8"), ("fastest", "i8"), ("add_up", "i8"),
    # the turn
    # full: 1 where turns are played, 0 where odds are given; quick: by a fine draw, luck in finding a word
    # fuse: by a fine draw, how much hazard may be burnt; ease: by a fine draw, how easy a word is
    ("full", "i8"), ("scenes", "i8"), ("manner", Manner, (n.GIVERS,)), ("psi", "f8"), ("timer", "f8"),
    ("reading", "f8"), ("word_time", "f8"), ("invalid", "f8"), ("slip", "f8"), ("sentence", "f8"),
    ("guess_time", "f8"), ("pause", "f8"), ("guess_1", "i8"), ("guess_2", "i8", (2,)), ("kappa", "f8", (2,)),
    ("handicap", "f8", (2,)), ("between", "f8"), ("insight", "f8", (n.MOST_GUESSES + 1,)),
    ("weight", "f8", (n.MOST_WORDS + 1,)),
    ("quick", "f4", (n.FINE,)), ("ease", "f4", (n.FINE,)), ("fuse", "f4", (n.FINE,)), ("clock", "f4", (n.COARSE,)),
    ("skill", "f4", (n.SPREAD,)), ("words", "i1", (n.MOST_STYLES, n.COARSE)),
    # given odds instead: by team and number of the room
    ("odds", "f8", (2, n.HIGHEST_ROOM + 1)), ("odds_cursed", "f8"), ("odds_monster", "f8", (2,)),
    # the library: what a content word burns of the fuse, by trapping team, shelf of the list's length, trappers,
    # filter and scene; and what it tells, which does not hang on who trapped it how
    ("shelf", "i8", (n.MOST_TRAPS + 1,)), ("part", "i8", (2,)),  # by length, by trapping team
    ("hazard", "f4", (2, n.SHELVES, n.TRAPPERS, len(n.Filter), n.MOST_SCENES)),
    ("worth", "f4", (n.SHELVES, len(n.Filter), n.MOST_SCENES)),
], align=True)

Table = np.dtype([
    *TABLE_HEAD,
    # position: the room of each team; monster_at: the monster's room; monster: its card; starred: 1 for a starred one
    # glow: the team with the glowing book; torch: the clue-giver of each team, its first player 0
    # first: the team that plays first this round
    # played: teams that have played this round; faces: 1 for a team that faces the monster
    # frozen: 1 where it does not walk
    # effect: all that cards do to each team; length: of the trap list against each team
    # cause: how each turn ended, a `Cause`
    # advanced: 1 for a team that went on; seconds: that each turn took; clues: given in each turn
    # wrong: wrong guesses of each turn
    # active: curses of its room at work on each team, as bits; discard: curses used up, as bits
    # hazard: of the last clue, as in the library
    ("position", "i8", (2,)), ("monster_at", "i8"), ("monster", "i8"), ("starred", "i8"),
    ("lie", "i8", (n.MOST_ROOMS,)),  # how many curses lie beside a room
    ("shown", "i8", (n.MOST_ROOMS,)),  # which of them lie face up
    ("active", "i8", (2,)), ("drawn", "i8", (2,)),  # curses at work on a team: of its room, of the monster
    ("discard", "i8"), ("taken", "i8"),  # curses used up; how many were ever taken from the pile
    ("glow", "i8"), ("torch", "i8", (2,)), ("first", "i8"), ("played", "i8"), ("faces", "i8", (2,)), ("frozen", "i8"),
    ("effect", Effect, (2,)), ("plain", "i8", (2,)), ("length", "i8", (2,)),  # plain: no card at work
    ("cause", "i8", (2,)), ("advanced", "i8", (2,)), ("seconds", "f8", (2,)), ("clues", "i8", (2,)),
    ("hazard", "f8", (2,)), ("worth", "f8", (2,)),  # of the last clue, as in the library
    ("wrong", "i8", (2,)), ("stood", "i8", (2,)),  # where a team stood as the round began
    # what is counted
    # met_round: when the monster was first met; met_room: where; met_by: by team A (1), B (2), or both (3)
    # attempts: of each team against it
    # stalls: rounds in which nobody went on; ends: how turns ended, by cause and team
    # cursed: cursed turns of each team
    # cursed_wins: of those, won; leads: who led after each round, 1 + the team, or 0; leader: who led last
    # lead_changes: how often that changed
    # seen: the first two curses at work, by number; talk: seconds played in all
    ("met_round", "i8"), ("met_room", "i8"), ("met_by", "i8"), ("attempts", "i8", (2,)), ("stalls", "i8"),
    ("ends", "i8", (len(n.Cause), 2)), ("cursed", "i8", (2,)), ("cursed_wins", "i8", (2,)),
    ("leads", "i8", (n.LED_ROUNDS,)), ("leader", "i8"), ("lead_changes", "i8"), ("seen", "i8", (2,)), ("talk", "f8"),
], align=True)

Own = np.dtype([("list", "i8")], align=True)  # how this team has filled its trap list
Hidden = np.dtype([
    ("own", Own, (2,)),
    ("beside", "i8", (n.MOST_ROOMS,)),  # the curses beside a room, as bits
    ("pile", "i8"),  # the curses in the pile, as bits; drawn from at random when one is taken
    ("skill", "f8", (2, n.MOST_MEMBERS)),
], align=True)
