"""The row of a game: how it ended, how near it came, and what happened on the way."""

from hardmode.sim.contract import ENDING, ROUNDS, SCORES, WINNERS, Measure
from hardmode.sim.games.run_run_run.records import BOSS, BOSSES, FAR, HEROES, MUMMIES, SEATS, WON
from hardmode.sim.records import rule

ENDINGS = ("won", *(f"vault reached by {m}" for m in (*MUMMIES, "Boss")), "last card lost in an attack",
           "no card left to play on", "no card left after cooperating", "turn limit")

MEASURES = (
    Measure("boss", "the Boss card drawn at set-up", labels=("not turned up", *BOSSES), factor=True),
    Measure("first woken", "the first mummy that woke", labels=("none", *MUMMIES), factor=True),
    Measure("hero", "the hero at a seat", labels=HEROES, factor=True, per_seat=True),
    Measure("turns", "player turns begun"),
    Measure("rooms placed", "Rooms laid"),
    Measure("mummies woken", "mummies that woke up"),
    Measure("mummies killed", "mummies, the Boss included, that lost their last heart"),
    Measure("fights", "Fight actions"),
    Measure("dark rooms", "Rooms that no torch was left for"),
    Measure("dark loss", "a mummy reached the Vault in an advance for a missing torch"),
    Measure("torch mechanisms", "torch mechanisms triggered"),
    Measure("door mechanisms", "door mechanisms triggered"),
    Measure("cooperations", "Cooperate actions"),
    Measure("tokens drawn", "sarcophagus tokens taken"),
    Measure("traps", "Traps among them"),
    Measure("teleports", "tokens spent to teleport"),
    Measure("fuel cards", "cards discarded to walk further"),
    Measure("wounds", "cards lost to attacks"),
    Measure("boss reached", "the Exit Door was opened"),
    Measure("deck empty", "the deck ran dry"),
    Measure("cards in hand", "cards in all hands", curve=True),
    Measure("torches", "torches in the supply", curve=True),
    Measure("mummies in play", "mummies in the maze, the Boss included", curve=True),
    Measure("nearest mummy", "steps from the nearest mummy to the Vault; 20 where there is none", curve=True),
)

NONE_NEAR = 20


@rule
def progress(box, table):
    """How far the team has come, in thousandths: the mechanisms make 600, the Boss's hearts the rest."""
    if table.ending == WON:
        return 1000
    done = 600 * (box.doors - table.doors) // max(box.doors, 1)
    if table.exit_tile >= 0:
        hp = box.hp[BOSS + table.boss]
        done += 300 * (hp - table.hp[BOSS]) // max(hp, 1)
    return done


@rule
def nearest_mummy(table):
    least = FAR
    for m in range(5):
        if table.at[m] >= 0 and table.dist[table.at[m]] < least:
            least = table.dist[table.at[m]] * 1
    return min(least, NONE_NEAR)


@rule
def outcome(box, table, row):
    """Ending, rounds, winners, scores, then the measures in their order."""
    row[ENDING] = table.ending
    row[ROUNDS] = table.round
    row[WINNERS] = (1 << table.seats) - 1 if table.ending == WON else 0
    score = progress(box, table)
    cards = mummies = 0
    for s in range(SEATS):
        row[SCORES + s] = score if s < table.seats else 0
        cards += table.hand_n[s]
    for m in range(5):
        mummies += table.at[m] >= 0
    i = SCORES + SEATS
    row[i] = table.boss_drawn
    row[i + 1] = table.first_woken
    for s in range(SEATS):
        row[i + 2 + s] = table.hero[s] if s < table.seats else -1
    i += 2 + SEATS
    row[i] = table.turn
    row[i + 1] = table.tiles_n - 1 - (table.exit_tile >= 0)
    row[i + 2] = table.woken
    row[i + 3] = table.killed
    row[i + 4] = table.fights
    row[i + 5] = table.dry
    row[i + 6] = table.dark_loss
    row[i + 7] = table.torch_mechanisms
    row[i + 8] = table.door_mechanisms
    row[i + 9] = table.cooperations
    row[i + 10] = table.tokens_drawn
    row[i + 11] = table.traps
    row[i + 12] = table.jumps
    row[i + 13] = table.fuelled
    row[i + 14] = table.wounded
    row[i + 15] = table.exit_tile >= 0
    row[i + 16] = table.deck_empty
    row[i + 17] = cards
    row[i + 18] = table.torches
    row[i + 19] = mummies
    row[i + 20] = nearest_mummy(table)
