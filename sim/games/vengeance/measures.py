"""What is measured of a game, and how it ends: the row that it leaves."""

from __future__ import annotations

from hardmode.sim.contract import Measure
from hardmode.sim.games.vengeance.den import exit_rooms
from hardmode.sim.games.vengeance.names import (
    ITEMS,
    OWN_SKILLS,
    SEATS,
    SIDES,
    SKILLS,
    Basic,
    Choice,
    Den,
    Ending,
    Phase,
    Slot,
)
from hardmode.sim.games.vengeance.packing import size_of
from hardmode.sim.games.vengeance.scoring import (
    boss_points,
    kill_points,
    loot_points,
    objective_points,
    score,
    training_points,
    winners,
)
from hardmode.sim.records import rule


def _seat(name: str, help: str, **more: object) -> Measure:
    return Measure(name, help, per_seat=True, **more)  # type: ignore[arg-type]


_FOLLOWED = (
    Measure("score so far", "the scores of all seats together", curve=True),
    Measure("dice used so far", "dice assigned by all seats", curve=True),
    Measure("minions crossed so far", "minions crossed in all dens", curve=True),
    Measure("boss wounds so far", "wounds given to all Bosses", curve=True),
    Measure("wounds now", "crossed life slots of all seats", curve=True),
)
_FACTS = (
    _seat("hero", "the hero of the seat", names="hero", factor=True),
    _seat("boss", "the Boss of the seat", names="boss", factor=True),
    _seat("den", "the den side of the seat", names="den", factor=True),
    _seat("loot points", "what the loot track scores"),
    _seat("training points", "what the training track scores"),
    _seat("boss points", "what the wounds of the Boss score"),
    _seat("kill points", "the bonus for killing the Boss"),
    _seat("objective points", "what marked objectives score"),
    _seat("exit points", "what the way out costs, 0 or less"),
    _seat("boss damage", "wounds given to the Boss"),
    _seat("minions crossed", "minions crossed"),
    _seat("rooms visited", "rooms visited, START included"),
    _seat("loot boxes", "loot boxes crossed"),
    _seat("experience", "experience slots marked"),
    _seat("experience spent", "experience slots spent on skill tiles"),
    _seat("wounds left", "crossed life slots at the end"),
    _seat("kos", "times knocked out"),
    _seat("eliminated", "knocked out for good"),
    _seat("objectives marked", "objectives marked"),
    *(_seat(f"item {k + 1} bought", f"uses of the hero's item {k + 1} that were stored", field="items_bought")
      for k in range(ITEMS)),
)
_COUNTS = (
    _seat("throws", "throws of dice"),
    _seat("groups", "groups of dice assigned"),
    _seat("dice used", "dice assigned to skills or the life bar"),
    _seat("dice used in round 1", "of these, in the first round"),
    _seat("life dice", "W dice placed on the life bar"),
    _seat("wounds taken", "life slots crossed"),
    _seat("dice lost to W", "dice that were locked on W when the player's roll phases ended, for whatever reason; "
          "neither those on the life bar nor those that had been unlocked"),
    _seat("phases ended by timer", "roll phases in which the clock stopped the drawing, or the throws were used up"),
    _seat("phases ended by pool", "roll phases that ended with an empty pool"),
    _seat("phases ended stuck", "roll phases that ended with locked dice only, though there was a pool and time"),
    _seat("phases ended by choice", "roll phases that the player ended, though there was a pool and time"),
    _seat("hands stuck", "roll phases in which only locked W were left in hand and nothing could be done with them; "
          "a player who stops, but could draw, place a W or unlock one, is not stuck"),
    _seat("time left", "tenths of a second left on the clock, all roll phases together"),
    _seat("time rolled", "tenths of a second spent in roll phases"),
    _seat("dice left in pool", "dice left in the pool, all roll phases together"),
    _seat("throw cap hit", "roll phases that ran into the cap on throws"),
    *(_seat(f"skill {k + 1} bought", f"times the hero's skill {k + 1} was bought", field="skills_bought")
      for k in range(OWN_SKILLS)),
    *(_seat(f"{name} used", f"uses of {name}", field="skills_used") for name in Basic.labels()),
    *(_seat(f"skill {k + 1} used", f"uses of the hero's skill {k + 1}", field="skills_used")
      for k in range(OWN_SKILLS)),
    *(_seat(f"item {k + 1} used", f"uses of the hero's item {k + 1}", field="items_used") for k in range(ITEMS)),
)
MEASURES = (*_FOLLOWED, *_FACTS, *_COUNTS)


@rule
def seat_factors(table, seat, row):
    """The hero, the Boss and the den side of a seat, from the moment at which they are known; -1 before, and of an
    empty seat."""
    row.hero[seat] = row.boss[seat] = row.den[seat] = -1
    if seat >= table.seats:
        return
    board = table.board[seat]
    row.hero[seat] = max(board[Slot.HERO], -1)
    row.boss[seat] = board[Slot.BOSS_CARD]
    if table.phase != Phase.SETUP or table.stage > Choice.SIDE * table.seats + seat:
        row.den[seat] = board[Slot.DEN] % SIDES


@rule
def seat_facts(box, table, seat, row):
    """What the board of a seat shows."""
    board = table.board[seat]
    den = board[Slot.DEN]
    row.loot_points[seat] = loot_points(box, board)
    row.training_points[seat] = training_points(box, board)
    row.boss_points[seat] = boss_points(box, den, board)
    row.kill_points[seat] = kill_points(box, board)
    row.objective_points[seat] = objective_points(box, den, board)
    row.exit_points[seat] = -box.exit_points * exit_rooms(box, den, board)
    row.boss_damage[seat] = board[Slot.DAMAGE]
    row.minions_crossed[seat] = size_of(box.den[den, Den.MINION_MASK] & ~board[Slot.ALIVE])
    row.rooms_visited[seat] = size_of(board[Slot.VISITED])
    row.loot_boxes[seat] = board[Slot.LOOT]
    row.experience[seat] = board[Slot.XP]
    row.experience_spent[seat] = board[Slot.SPENT]
    row.wounds_left[seat] = board[Slot.WOUNDS]
    row.kos[seat] = board[Slot.KO]
    row.eliminated[seat] = board[Slot.OUT]
    row.objectives_marked[seat] = size_of(board[Slot.MARKED_OBJECTIVES])
    for item in range(ITEMS):
        row.items_bought[item, seat] = board[Slot.STORED + item] + board[Slot.SPENT_USES + item]


@rule
def seat_counts(table, seat, row):
    """What was counted of a seat over the game."""
    count = table.count[seat]
    row.throws[seat] = count.throws
    row.groups[seat] = count.groups
    row.dice_used[seat] = count.dice_used
    row.dice_used_in_round_1[seat] = count.dice_used_in_round_1
    row.life_dice[seat] = count.life_dice
    row.wounds_taken[seat] = count.wounds_taken
    row.dice_lost_to_W[seat] = count.dice_lost
    row.phases_ended_by_timer[seat] = count.ended_by_timer
    row.phases_ended_by_pool[seat] = count.ended_by_pool
    row.phases_ended_stuck[seat] = count.ended_stuck
    row.phases_ended_by_choice[seat] = count.ended_by_choice
    row.hands_stuck[seat] = count.hands_stuck
    row.time_left[seat] = count.time_left
    row.time_rolled[seat] = count.time_rolled
    row.dice_left_in_pool[seat] = count.pool_left
    row.throw_cap_hit[seat] = count.cap_hit
    for skill in range(OWN_SKILLS):
        row.skills_bought[skill, seat] = count.skill_bought[skill]
    for skill in range(SKILLS):
        row.skills_used[skill, seat] = count.skill_used[skill]
    for item in range(ITEMS):
        row.items_used[item, seat] = count.item_used[item]


@rule
def totals(box, table, row):
    """What is followed over the rounds: sums over all seats."""
    row.score_so_far = row.dice_used_so_far = row.minions_crossed_so_far = row.boss_wounds_so_far = row.wounds_now = 0
    for seat in range(table.seats):
        board = table.board[seat]
        row.score_so_far += row.scores[seat]
        row.dice_used_so_far += table.count[seat].dice_used
        row.minions_crossed_so_far += size_of(box.den[board[Slot.DEN], Den.MINION_MASK] & ~board[Slot.ALIVE])
        row.boss_wounds_so_far += board[Slot.DAMAGE]
        row.wounds_now += board[Slot.WOUNDS]


@rule
def outcome(box, table, row):
    row.ending = table.ending
    row.rounds = min(table.round, box.rounds)
    row.winners = 0
    if table.ending == Ending.REACHED:
        row.winners = 1
    elif table.ending == Ending.WON or table.ending == Ending.SHARED:
        row.winners = winners(box, table)
    for seat in range(SEATS):
        board = table.board[seat]
        row.scores[seat] = score(box, board[Slot.DEN], board) if seat < table.seats else 0
        seat_factors(table, seat, row)
    totals(box, table, row)
    if table.ending >= 0:  # before, only the factors and what is followed are asked for
        for seat in range(table.seats):
            seat_facts(box, table, seat, row)
            seat_counts(table, seat, row)
