"""The row of a game: how it ended, how near it came, and what happened on the way."""

from hardmode.sim.contract import Measure
from hardmode.sim.games.run_run_run.maze import distance, sides_in
from hardmode.sim.games.run_run_run.mummies import in_maze
from hardmode.sim.games.run_run_run.names import FAR, MUMMIES, SEATS, Boss, Ending, Hero, Mummy
from hardmode.sim.records import rule

ENDINGS = Ending.labels()

MEASURES = (
    Measure("boss", "the Boss card drawn at set-up", labels=("not turned up", *Boss.labels()), names="bosses",
            factor=True),
    Measure("first woken", "the first mummy that woke", labels=("none", *MUMMIES), names="mummies",
            factor=True),
    Measure("hero", "the hero at a seat", labels=Hero.labels(), factor=True, per_seat=True),
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
    Measure("deck empty", "no Room was left in the deck when the game ended"),
    Measure("cards in hand", "cards in all hands", curve=True),
    Measure("torches", "torches in the supply", curve=True),
    Measure("mummies in play", "mummies in the maze, the Boss included", curve=True),
    Measure("nearest mummy", "steps from the nearest mummy to the Vault; 20 where there is none", curve=True),
)

NONE_NEAR = 20


@rule
def progress(box, table):
    """How far the team has come, in thousandths: the mechanisms make 600, the Boss's hearts the rest."""
    if table.ending == Ending.WON:
        return 1000
    done = 600 * (box.doors - table.doors) // max(box.doors, 1)
    if table.exit_tile >= 0:
        hp = box.hp[Mummy.BOSS + table.boss]
        done += 300 * (hp - table.hp[Mummy.BOSS]) // max(hp, 1)
    return done


@rule
def nearest_mummy(table):
    least = FAR
    for m in range(5):
        if table.at[m] >= 0:
            least = min(least, distance(table, table.at[m]))
    return min(least, NONE_NEAR)


@rule
def outcome(box, table, row):
    """How the game ended, and what happened on the way; also asked in the middle of one."""
    row.ending = table.ending
    row.rounds = table.round
    row.winners = (1 << table.seats) - 1 if table.ending == Ending.WON else 0
    score = progress(box, table)
    for s in range(SEATS):
        row.scores[s] = score if s < table.seats else 0
        row.hero[s] = table.hero[s] if s < table.seats else -1
    row.boss = table.boss_drawn
    row.first_woken = table.first_woken
    row.turns = table.turn
    count_events(table, row)
    row.boss_reached = table.exit_tile >= 0
    row.cards_in_hand = cards_in_hand(table)
    row.torches = table.torches
    row.mummies_in_play = sides_in(in_maze(table))
    row.nearest_mummy = nearest_mummy(table)


@rule
def count_events(table, row):
    row.rooms_placed = table.tiles_n - 1 - (table.exit_tile >= 0)
    row.mummies_woken = table.woken
    row.mummies_killed = table.killed
    row.fights = table.fights
    row.dark_rooms = table.dry
    row.dark_loss = table.dark_loss
    row.torch_mechanisms = table.torch_mechanisms
    row.door_mechanisms = table.door_mechanisms
    row.cooperations = table.cooperations
    row.tokens_drawn = table.tokens_drawn
    row.traps = table.traps
    row.teleports = table.jumps
    row.fuel_cards = table.fuelled
    row.wounds = table.wounded
    row.deck_empty = table.deck_n == 0  # nothing is ever put back


@rule
def cards_in_hand(table):
    n = 0
    for s in range(table.seats):
        n += table.hand_n[s]
    return n
