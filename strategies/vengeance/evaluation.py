"""What strategies see in a position: what lies ready, what a group is worth, where the pawn should go.

Nothing here is a rule of the game. Weights are handed in, by the names below.
"""

from __future__ import annotations

import numpy as np

from hardmode.sim.games.vengeance.combat import focus_ready
from hardmode.sim.games.vengeance.den import fulfilled
from hardmode.sim.games.vengeance.names import SKILLS, Action, Den, Minion, Objective, Power, Slot
from hardmode.sim.games.vengeance.packing import lowest, size_of
from hardmode.sim.games.vengeance.player_board import loaded, row_of
from hardmode.sim.records import rule

# What the weights of a style weigh: an action more (move .. kill), a die spent, actions that are more than enough
# (spare_*, ratio); a room to be in (visit .. near_boss, far_boss, a step to it, the way out); free life slots below
# which a W stays where it is (slack*); flashback actions (collect .. care_clean), a skill tile; wounds and a KO.
NAMES = ("move", "hit", "shot", "wound", "heal", "leap", "evade", "kill", "die", "spare_move", "spare_hit",
         "ratio", "visit", "kills", "icon", "icon_far", "goal", "boss", "boss_kill", "near_boss",
         "slack_stuck", "slack", "collect", "train", "train_fade", "item", "focus", "half_focus",
         "care_slot", "care_clean", "buy_skill", "wound_cost", "ko_cost", "far_boss", "step", "way_out")
PLAN_NAMES = ("plan_icon", "plan_wound", "plan_boss_step", "plan_crossed", "plan_visited", "plan_grunt", "plan_width",
              "plan_fear", "plan_hope", "plan_goal", "plan_part", "plan_road", "plan_steps", "plan_blows",
              "plan_narrowing", "plan_depth")
STYLE = np.dtype([(name, "f8") for name in NAMES])
STYLES, PLANS = len(NAMES), len(PLAN_NAMES)
PLAN = np.dtype([(name.removeprefix("plan_"), "f8") for name in PLAN_NAMES])


@rule
def style_of(weights):
    """The weights of a strategy by name; as a record they cost nothing to hand on."""
    return weights[:STYLES].view(STYLE)[0]


@rule
def plan_of(weights):
    """The weights of a planner, behind those of its style."""
    return weights[STYLES:STYLES + PLANS].view(PLAN)[0]


@rule
def stock(box, board):
    """How many of each action lie ready in groups, focus and items, six bits an action; and how many HITs and
    KILLs of these come with a MOVE, so that they cannot be struck where the pawn stands."""
    total, carried = 0, 0
    tiles = loaded(board)
    while tiles:
        tile = lowest(tiles)
        tiles &= tiles - 1
        row = row_of(board, tile)
        contents = box.contents[row]
        if tile >= SKILLS:
            actions = board[Slot.STORED + tile - SKILLS] * contents
        else:
            sharp = board[Slot.SHARPS + tile]
            actions = (board[Slot.GROUPS + tile] - sharp) * contents + sharp * box.sharp_contents[row]
            if board[Slot.FOCUSED] and focus_ready(box, board, tile, row):
                actions += contents
        total += actions
        if ready(contents, Action.MOVE):
            carried += blows_ready(actions)
    return total, carried


@rule
def in_use(box, board):
    """The actions to come of the tile in use."""
    total = 0
    if board[Slot.TILE]:
        row = row_of(board, board[Slot.TILE] - 1)
        for step in range(board[Slot.STEP], board[Slot.LIMIT]):
            total += 1 << (6 * box.effect[row, step])
    return total


@rule
def ready(total, action):
    return (total >> (6 * action)) & 63


@rule
def steps_ready(total):
    return ready(total, Action.MOVE) + 2 * ready(total, Action.LEAP)


@rule
def blows_ready(total):
    return ready(total, Action.HIT) + ready(total, Action.KILL)


@rule
def prices_of(total, power, wounds, w):
    """What a step, a blow and a SHOT more are worth beside what lies ready, and how many wounds can be healed."""
    steps, blows = steps_ready(total), blows_ready(total) + ready(total, Action.SHOT)
    step = w.move if steps <= 1 + w.ratio * blows else w.spare_move
    blow = 1.0 if blows <= 6 + 3 * steps else w.spare_hit
    return step, blow, w.evade if power & Power.SHOTS_EVADE else blow * w.shot, float(wounds)


@rule
def worth_of(contents, prices, w):
    """What one more use of a tile is worth."""
    step, blow, shot, wounds = prices
    value = step * ready(contents, Action.MOVE) + step * w.leap * ready(contents, Action.LEAP)
    value += blow * (w.hit * ready(contents, Action.HIT) + w.kill * ready(contents, Action.KILL))
    value += w.evade * ready(contents, Action.EVADE)
    value += shot * ready(contents, Action.SHOT) + w.wound * ready(contents, Action.WOUND)
    return value + w.heal * min(float(ready(contents, Action.HEAL)), wounds)


@rule
def distance(box, den, here, there):
    return (box.den[den, Den.STEPS + here] >> (4 * there)) & 15


@rule
def hits_needed(box, den, dotted, power, minions):
    """Damage that it takes to cross these minions."""
    n = size_of(minions)
    if box.tough > 1 and not power & Power.TOUGH_ONE_HIT:
        n += size_of(minions & box.den[den, Den.OF_KIND + Minion.TOUGH] & ~dotted)
    return n


@rule
def goal_pull(box, table, seat, room, blows, need):
    """The points of a room's objective, as far as they are in reach."""
    board = table.board[seat]
    den = board[Slot.DEN]
    goal = box.den[den, Den.GOAL + room]
    near = False
    if goal == Objective.CLEAR:
        inside = box.den[den, Den.INSIDE + room]
        near = inside & board[Slot.DAWN] == inside and need <= blows
    elif goal == Objective.VISIT and not (board[Slot.VISITED] >> room) & 1:
        near = size_of(board[Slot.VISITED]) + 1 >= box.den[den, Den.GOAL_COUNT + room]
    elif goal == Objective.HIT_BOSS and room == box.den[den, Den.BOSS_ROOM]:
        grunts = box.den[den, Den.INSIDE + room] & box.den[den, Den.OF_KIND + Minion.GRUNT]
        near = blows > size_of(grunts & board[Slot.ALIVE])
    else:
        near = fulfilled(box, den, board, room)
    return box.den[den, Den.GOAL_POINTS + room] * (1.0 if near else 0.1)


@rule
def boss_pull(strikes, left, near, each, kill):
    """What so many strikes at the Boss are worth."""
    value = near
    if strikes > 0:
        value += each * min(strikes, left)
        if strikes >= left:
            value += kill
    return value


@rule
def danger(free, final, incoming, last, wound_cost, ko_cost):
    """What so many wounds at the end of the round cost, with so many free slots; `final`: a KO is the end."""
    cost = 0.0 if last else wound_cost * incoming
    if incoming >= free:
        cost = 40.0 if final else 0.0 if last else ko_cost
    return cost


@rule
def threat(box, den, active, room, blows, boss_lives):
    """The wounds that await in a room when so many blows are struck there first."""
    guns = box.den[den, Den.OF_KIND + Minion.GUNMAN]
    here = size_of(active & box.den[den, Den.INSIDE + room] & (guns | box.den[den, Den.OF_KIND + Minion.HENCHMAN]))
    around = size_of(active & box.den[den, Den.AROUND + room] & guns & ~box.den[den, Den.INSIDE + room])
    boss = 1 if boss_lives and room == box.den[den, Den.BOSS_ROOM] else 0
    return max(0, here - blows) + around + boss


@rule
def room_pull(box, table, seat, room, blows, quiet, shots, last, w):
    """What it is worth to end in a room with so many blows, evasions and shots."""
    board = table.board[seat]
    den = board[Slot.DEN]
    active = board[Slot.ALIVE] & ~board[Slot.EVADED]
    minions = box.den[den, Den.INSIDE + room] & active
    need = hits_needed(box, den, board[Slot.DOTTED], board[Slot.POWER], minions)
    visited = (board[Slot.VISITED] >> room) & 1
    value = w.kills * min(need, blows)
    if not visited:
        value += w.visit
    icons = box.den[den, Den.ICONS_IN + room]
    if icons and not (board[Slot.TAKEN] >> room) & 1 and not (need == 0 and visited):
        value += (w.icon if need <= blows + quiet else w.icon_far) * icons
    if box.den[den, Den.GOAL + room] and not (board[Slot.MARKED_OBJECTIVES] >> room) & 1:
        value += w.goal * goal_pull(box, table, seat, room, blows + quiet, need)
    if shots:
        value += w.kills * min(shots, size_of(box.den[den, Den.AROUND + room] & active))
    left = board[Slot.HEALTH] - board[Slot.DAMAGE]
    if left > 0:
        value += lair_pull(box, den, room, active, board[Slot.POWER], blows, quiet, shots, left, last, w)
    if last:
        value -= w.way_out * distance(box, den, room, 0)
    incoming = threat(box, den, active, room, blows + quiet, left > 0)
    return value - danger(board[Slot.LIFE] - board[Slot.WOUNDS], board[Slot.KO] + 1 >= box.ko_slots, incoming, last,
                          w.wound_cost, w.ko_cost)


@rule
def lair_pull(box, den, room, active, power, blows, quiet, shots, left, last, w):
    """What the Boss draws with: strikes from his room, shots from the next, and being near him."""
    lair = box.den[den, Den.BOSS_ROOM]
    value = 0.0
    grunts = box.den[den, Den.INSIDE + lair] & box.den[den, Den.OF_KIND + Minion.GRUNT]
    shields = max(0, size_of(active & grunts) - quiet)
    if room == lair:
        value = boss_pull(blows - shields, left, w.near_boss, w.boss, w.boss_kill)
    elif shots and not power & (Power.NO_SHOT | Power.SHOT_ONLY_GRUNT) and (box.den[den, Den.DOORS + room] >> lair) & 1:
        value = boss_pull(shots - shields, left, 0.0, w.boss, w.boss_kill)
    if not last:
        value -= w.far_boss * distance(box, den, room, lair)
    return value


@rule
def best_room(box, table, seat, total, carried, last, w):
    """The room in reach that draws the pawn most."""
    board = table.board[seat]
    den, here, power = board[Slot.DEN], board[Slot.ROOM], board[Slot.POWER]
    steps, blows = steps_ready(total), blows_ready(total)
    if power & Power.LEAP_HIT:
        blows += ready(total, Action.LEAP)
    shots, quiet = ready(total, Action.SHOT), ready(total, Action.EVADE)
    if power & Power.SHOTS_EVADE:
        shots, quiet = 0, quiet + shots
    elif power & Power.SHOOT_OWN_ROOM:
        blows += shots
    best, most = here, room_pull(box, table, seat, here, blows - carried, quiet, shots, last, w)
    if steps == 0:
        return best
    ways = box.den[den, Den.STEPS + here]
    for room in range(box.den[den, Den.ROOMS]):
        far = (ways >> (4 * room)) & 15
        if 0 < far <= steps:
            value = room_pull(box, table, seat, room, blows, quiet, shots, last, w) - w.step * far
            if value > most:
                best, most = room, value
    return best


@rule
def pinned(box, den, power, room, active):
    """An active BOUNCER holds the pawn."""
    return (box.den[den, Den.INSIDE + room] & box.den[den, Den.OF_KIND + Minion.BOUNCER] & active != 0
            and not power & Power.IGNORE_BOUNCER)


@rule
def prey(box, table, seat, enemy, action):
    """How much it is worth to strike this minion."""
    board = table.board[seat]
    den = board[Slot.DEN]
    kind = box.den[den, Den.KIND_OF + enemy]
    room = box.den[den, Den.ROOM_OF + enemy]
    left = hits_needed(box, den, board[Slot.DOTTED], board[Slot.POWER],
                       box.den[den, Den.INSIDE + room] & board[Slot.ALIVE] & ~board[Slot.EVADED])
    value = 3.0 / (1 + left)
    if box.den[den, Den.ICONS_IN + room] and not (board[Slot.TAKEN] >> room) & 1:
        value += 2.0 / (1 + left)
    if kind == Minion.GRUNT:
        value += 4.0
    elif kind == Minion.BOUNCER and room == board[Slot.ROOM]:
        value += 3.0
    elif kind == Minion.GUNMAN:
        value += 1.2
    elif kind == Minion.HENCHMAN:
        value += 0.8
    elif action == Action.KILL:
        value += 2.0
    elif (board[Slot.DOTTED] >> enemy) & 1 or board[Slot.POWER] & Power.TOUGH_ONE_HIT:
        value += 2.0
    if action == Action.EVADE and kind == Minion.TOUGH:
        value += 0.5
    return value
