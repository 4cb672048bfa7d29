"""Trapwords: two teams talk their way past unseen trap words to the monster, before the monster comes to them."""

from hardmode.sim.contract import Game, Measure, Source
from hardmode.sim.games.trapwords.box import fill
from hardmode.sim.games.trapwords.rounds import options, outcome, redeal, setup, take
from hardmode.sim.games.trapwords.tables import (
    CAUSES,
    CURSES,
    HIGHEST_ROOM,
    MONSTERS,
    MOST_ROUNDS,
    Box,
    Hidden,
    Own,
    Table,
)

_TEAMS = ("team A", "team B")
_CURSES = ("none", *(name.replace("_", " ") for name in CURSES))
_LEAD = ("tied", *_TEAMS)
_ROOMS = ("never", *(f"room {k}" for k in range(1, HIGHEST_ROOM + 1)))

GAME = Game(
    name="trapwords", title="Trapwords", version=2, seats=2,
    box=Box, table=Table, hidden=Hidden, own=Own,
    setup=setup, options=options, take=take, redeal=redeal, outcome=outcome, fill=fill,
    max_options=13, max_decisions=4 * MOST_ROUNDS, max_rounds=MOST_ROUNDS,
    endings=("team A wins", "team B wins", "both teams win", "the monster wins"),
    kinds=("write the trap list", "give clues"),
    sources=(
        Source("glowing book"), Source("monster cards", ("0 which, 1 starred", "", "")),
        Source("curse cards", ("how many were taken before", "", "")),
        Source("skill of the players", ("team", "", "player")),
        Source("word and people", ("round", "team", "part")),
        Source("clues and guesses", ("round", "team", "8 x beat + part")),
        Source("contrarian's whim", ("round", "team", "")), Source("luck under a card", ("round", "team", "")),
        Source("forbidden word hit", ("round", "team", "")),
        Source("given odds", ("round", "team", "0 success, 1 time")), Source("guessing at hidden lists"),
    ),
    measures=(
        Measure("rounds without advance", "rounds in which no team advanced", curve=True),
        Measure("lead", "rooms between the teams", curve=True),
        Measure("distance to the monster", "rooms from the team further on to the monster", curve=True),
        Measure("fights", "turns begun before the monster so far, both teams", curve=True),
        Measure("monster", "the monster of this game", tuple(m if m != "own" else "one's own" for m in MONSTERS), True),
        Measure("starred", "whether its card was from the harder deck", ("normal", "starred"), True),
        Measure("first book", "who received the glowing book in round 1", _TEAMS, True),
        Measure("first curse", "the first curse of a room to be at work", _CURSES, True),
        Measure("second curse", "the second curse of a room to be at work", _CURSES, True),
        Measure("first to face", "who was the first to face the monster", ("nobody", *_TEAMS, "both"), True),
        Measure("room of the first fight", "where the monster was first faced", _ROOMS, True),
        *(Measure(f"leader after round {r}", "", _LEAD, True) for r in range(1, 5)),
        Measure("round of the first fight", "0 if the monster was never faced"),
        Measure("lead changes", "how often the lead went from one team to the other"),
        Measure("seconds of talk", "sand used, both teams"),
        Measure("seconds at the table", "with writing lists and reading words"),
        Measure("attempts at the monster", "turns of a team before the monster", per_seat=True),
        Measure("cursed turns", "turns of a team under a curse", per_seat=True),
        Measure("cursed successes", "of these, how many succeeded", per_seat=True),
        *(Measure("successes" if c == CAUSES[0] else f"failed: {c}", "turns of a team", per_seat=True) for c in CAUSES),
    ),
    words=f"{__name__}.words", competitive=True,
    limits=(
        "the words themselves are not played: a word, its clue-giver and its trap list are drawn from a model of "
        "what people think of",
        "clues and guesses are judged by the model, not by language: derivatives, compounds and invalid clues are "
        "hazards",
        "eight of the ten curse cards and four of the five monsters have effects that are assumed in part",
    ),
)
