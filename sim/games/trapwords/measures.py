"""What a game is measured by, and its row."""

import hardmode.sim.games.trapwords.names as n
from hardmode.sim.contract import Measure
from hardmode.sim.games.trapwords.names import A, B
from hardmode.sim.records import rule

_MONSTERS = n.Monster.labels()
_CURSES = ("none", *(curse.label.replace("_", " ") for curse in n.Curse))
_LEADERS = ("tied", *n.TEAM_NAMES)
_ROOMS = ("never", *(f"room {k}" for k in range(1, n.HIGHEST_ROOM + 1)))
_ENDS = ("successes", *(f"failed: {cause.label}" for cause in n.Cause if cause != n.Cause.SUCCESS))

MEASURES = (
    Measure("rounds without advance", "rounds in which no team advanced", curve=True),
    Measure("lead", "rooms between the teams", curve=True),
    Measure("distance to the monster", "rooms from the team further on to the monster", curve=True),
    Measure("fights", "turns begun before the monster so far, both teams", curve=True),
    Measure("monster", "the monster of this game", _MONSTERS, True, names="monster"),
    Measure("starred", "whether its card was from the harder deck", n.Deck.labels(), True),
    Measure("first book", "who received the glowing book in round 1", n.TEAM_NAMES, True),
    Measure("first curse", "the first curse of a room to be at work", _CURSES, True, names="curse"),
    Measure("second curse", "the second curse of a room to be at work", _CURSES, True, names="curse"),
    Measure("first to face", "who was the first to face the monster", ("nobody", *n.TEAM_NAMES, "both"), True),
    Measure("room of the first fight", "where the monster was first faced", _ROOMS, True),
    *(Measure(f"leader after round {r}", "", _LEADERS, True, field="leader_after")
      for r in range(1, n.LED_ROUNDS + 1)),
    Measure("round of the first fight", "0 if the monster was never faced"),
    Measure("lead changes", "how often the lead went from one team to the other"),
    Measure("seconds of talk", "sand used, both teams"),
    Measure("seconds at the table", "with writing lists and reading words"),
    Measure("attempts at the monster", "turns of a team before the monster", per_seat=True),
    Measure("cursed turns", "turns of a team under a curse", per_seat=True),
    Measure("cursed successes", "of these, how many succeeded", per_seat=True),
    *(Measure(name, "turns of a team", per_seat=True, field="ends") for name in _ENDS),
)


@rule
def outcome(box, table, row):
    """What is followed over the rounds, and the factors; the rest only at the end."""
    won = winners(table.ending)
    a, b = table.position[A], table.position[B]
    row.ending, row.rounds, row.winners = table.ending, table.round, won
    row.scores[A], row.scores[B] = a + (won & 1), b + (won >> 1)
    row.rounds_without_advance = table.stalls
    row.lead = abs(a - b)
    row.distance_to_the_monster = table.monster_at - max(a, b)
    row.fights = table.attempts[A] + table.attempts[B]
    what_was_what(table, row)
    if table.ending >= 0:
        how_long(box, table, row)
        turns_of_teams(table, row)


@rule
def winners(ending):
    """One bit for each team that has won."""
    return (ending == n.Ending.A_WINS or ending == n.Ending.BOTH_WIN) + 2 * (
        ending == n.Ending.B_WINS or ending == n.Ending.BOTH_WIN)


@rule
def what_was_what(table, row):
    """The facts by which games are told apart."""
    row.monster, row.starred = table.monster, table.starred
    row.first_book = table.glow ^ (table.round + 1) & 1  # it has changed hands in every round since
    row.first_curse, row.second_curse = table.seen[0], table.seen[1]
    row.first_to_face, row.room_of_the_first_fight = table.met_by, table.met_room
    for i in range(n.LED_ROUNDS):
        row.leader_after[i] = table.leads[i]


@rule
def how_long(box, table, row):
    row.round_of_the_first_fight, row.lead_changes = table.met_round, table.lead_changes
    row.seconds_of_talk = int(table.talk)
    row.seconds_at_the_table = int(table.talk + table.round * (box.between + 2 * box.reading))


@rule
def turns_of_teams(table, row):
    for team in range(2):
        row.attempts_at_the_monster[team] = table.attempts[team]
        row.cursed_turns[team] = table.cursed[team]
        row.cursed_successes[team] = table.cursed_wins[team]
        for cause in range(len(table.ends)):
            row.ends[cause, team] = table.ends[cause, team]
