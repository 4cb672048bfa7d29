"""What strategies see in a position: what lies ready, what a group is worth, where the pawn should go.

Nothing here is a rule of the game. Weights are handed in, by the names below.
"""

from __future__ import annotations

import numpy as np

from hardmode.sim.games.vengeance.combat import focus_ready
from hardmode.sim.games.vengeance.components import (
    ALIVE,
    AROUND,
    BOSS_ROOM,
    BOUNCER,
    DAMAGE,
    DAWN,
    DEN,
    DOORS,
    DOTTED,
    EVADE,
    EVADED,
    FOCUSED,
    GOAL,
    GOAL_COUNT,
    GOAL_POINTS,
    GROUPS,
    GRUNT,
    GUNMAN,
    HEAL,
    HEALTH,
    HENCHMAN,
    HIT,
    ICONS_IN,
    IGNORE_BOUNCER,
    INSIDE,
    KILL,
    KIND_OF,
    KO,
    LEAP,
    LEAP_HIT,
    LIFE,
    LIMIT,
    MARKED_OBJECTIVES,
    MOVE,
    NO_SHOT,
    O_CLEAR,
    O_HIT_BOSS,
    O_VISIT,
    OF_KIND,
    POWER,
    ROOM,
    ROOM_OF,
    ROOMS,
    SHARPS,
    SHOOT_OWN_ROOM,
    SHOT,
    SHOT_ONLY_GRUNT,
    SHOTS_EVADE,
    SKILLS,
    STEP,
    STEPS,
    STORED,
    TAKEN,
    TILE,
    TOUGH,
    TOUGH_ONE_HIT,
    VISITED,
    WOUND,
    WOUNDS,
    loaded,
    lowest,
    row_of,
    size_of,
)
from hardmode.sim.games.vengeance.den import fulfilled
from hardmode.sim.records import rule

# What the weights of a style weigh: an action more (move .. kill), a die spent, actions that are more than enough
# (spare_*, ratio); a room to be in (visit .. near_boss, far_boss, a step to it, the way out); free life slots below
# which a W stays where it is (slack*); flashback actions (collect .. care_clean), a skill tile; wounds and a KO.
NAMES = ("move", "hit", "shot", "wound", "heal", "leap", "evade", "kill", "die", "spare_move", "spare_hit",
         "ratio", "visit", "kills", "icon", "icon_far", "goal", "boss", "boss_kill", "near_boss",
         "slack_stuck", "slack", "collect", "train", "train_fade", "item", "focus", "half_focus",
         "care_slot", "care_clean", "buy_skill", "wound_cost", "ko_cost", "far_boss", "step", "way_out")
PLAN_NAMES = ("plan_icon", "plan_wound", "plan_boss_step", "plan_crossed", "plan_visited", "plan_grunt", "plan_width")
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
def stock(box, table, seat):
    """How many of each action lie ready in groups, focus and items, six bits an action; and how many HITs and
    KILLs of these come with a MOVE, so that they cannot be struck where the pawn stands."""
    board = table.board[seat]
    total, carried = 0, 0
    tiles = loaded(board)
    while tiles:
        tile = lowest(tiles)
        tiles &= tiles - 1
        row = row_of(board, tile)
        contents = box.contents[row]
        if tile >= SKILLS:
            actions = board[STORED + tile - SKILLS] * contents
        else:
            sharp = board[SHARPS + tile]
            actions = (board[GROUPS + tile] - sharp) * contents + sharp * box.sharp_contents[row]
            if board[FOCUSED] and focus_ready(box, board, tile, row):
                actions += contents
        total += actions
        if ready(contents, MOVE):
            carried += blows_ready(actions)
    return total, carried


@rule
def in_use(box, table, seat):
    """The actions to come of the tile in use."""
    board = table.board[seat]
    total = 0
    if board[TILE]:
        row = row_of(board, board[TILE] - 1)
        for step in range(board[STEP], board[LIMIT]):
            total += 1 << (6 * box.effect[row, step])
    return total


@rule
def ready(total, action):
    return (total >> (6 * action)) & 63


@rule
def steps_ready(total):
    return ready(total, MOVE) + 2 * ready(total, LEAP)


@rule
def blows_ready(total):
    return ready(total, HIT) + ready(total, KILL)


@rule
def prices_of(total, power, wounds, w):
    """What a step, a blow and a SHOT more are worth beside what lies ready, and how many wounds can be healed."""
    steps, blows = steps_ready(total), blows_ready(total) + ready(total, SHOT)
    step = w.move if steps <= 1 + w.ratio * blows else w.spare_move
    blow = 1.0 if blows <= 6 + 3 * steps else w.spare_hit
    return step, blow, w.evade if power & SHOTS_EVADE else blow * w.shot, float(wounds)


@rule
def worth_of(contents, prices, w):
    """What one more use of a tile is worth."""
    step, blow, shot, wounds = prices
    value = step * ready(contents, MOVE) + step * w.leap * ready(contents, LEAP)
    value += blow * (w.hit * ready(contents, HIT) + w.kill * ready(contents, KILL))
    value += w.evade * ready(contents, EVADE)
    value += shot * ready(contents, SHOT) + w.wound * ready(contents, WOUND)
    return value + w.heal * min(float(ready(contents, HEAL)), wounds)


@rule
def distance(box, den, here, there):
    return (box.den[den, STEPS + here] >> (4 * there)) & 15


@rule
def hits_needed(box, den, dotted, power, minions):
    """Damage that it takes to cross these minions."""
    n = size_of(minions)
    if box.tough > 1 and not power & TOUGH_ONE_HIT:
        n += size_of(minions & box.den[den, OF_KIND + TOUGH] & ~dotted)
    return n


@rule
def goal_pull(box, table, seat, room, blows, need):
    """The points of a room's objective, as far as they are in reach."""
    board = table.board[seat]
    den = board[DEN]
    goal = box.den[den, GOAL + room]
    near = False
    if goal == O_CLEAR:
        inside = box.den[den, INSIDE + room]
        near = inside & board[DAWN] == inside and need <= blows
    elif goal == O_VISIT and not (board[VISITED] >> room) & 1:
        near = size_of(board[VISITED]) + 1 >= box.den[den, GOAL_COUNT + room]
    elif goal == O_HIT_BOSS and room == box.den[den, BOSS_ROOM]:
        near = blows > size_of(box.den[den, INSIDE + room] & box.den[den, OF_KIND + GRUNT] & board[ALIVE])
    else:
        near = fulfilled(box, den, board, room)
    return box.den[den, GOAL_POINTS + room] * (1.0 if near else 0.1)


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
    guns = box.den[den, OF_KIND + GUNMAN]
    here = size_of(active & box.den[den, INSIDE + room] & (guns | box.den[den, OF_KIND + HENCHMAN]))
    around = size_of(active & box.den[den, AROUND + room] & guns & ~box.den[den, INSIDE + room])
    boss = 1 if boss_lives and room == box.den[den, BOSS_ROOM] else 0
    return max(0, here - blows) + around + boss


@rule
def room_pull(box, table, seat, room, blows, quiet, shots, last, w):
    """What it is worth to end in a room with so many blows, evasions and shots."""
    board = table.board[seat]
    den = board[DEN]
    active = board[ALIVE] & ~board[EVADED]
    minions = box.den[den, INSIDE + room] & active
    need = hits_needed(box, den, board[DOTTED], board[POWER], minions)
    visited = (board[VISITED] >> room) & 1
    value = w.kills * min(need, blows)
    if not visited:
        value += w.visit
    icons = box.den[den, ICONS_IN + room]
    if icons and not (board[TAKEN] >> room) & 1 and not (need == 0 and visited):
        value += (w.icon if need <= blows + quiet else w.icon_far) * icons
    if box.den[den, GOAL + room] and not (board[MARKED_OBJECTIVES] >> room) & 1:
        value += w.goal * goal_pull(box, table, seat, room, blows + quiet, need)
    if shots:
        value += w.kills * min(shots, size_of(box.den[den, AROUND + room] & active))
    left = board[HEALTH] - board[DAMAGE]
    if left > 0:
        value += lair_pull(box, den, room, active, board[POWER], blows, quiet, shots, left, last, w)
    if last:
        value -= w.way_out * distance(box, den, room, 0)
    incoming = threat(box, den, active, room, blows + quiet, left > 0)
    return value - danger(board[LIFE] - board[WOUNDS], board[KO] + 1 >= box.ko_slots, incoming, last,
                          w.wound_cost, w.ko_cost)


@rule
def lair_pull(box, den, room, active, power, blows, quiet, shots, left, last, w):
    """What the Boss draws with: strikes from his room, shots from the next, and being near him."""
    lair = box.den[den, BOSS_ROOM]
    value = 0.0
    shields = max(0, size_of(active & box.den[den, INSIDE + lair] & box.den[den, OF_KIND + GRUNT]) - quiet)
    if room == lair:
        value = boss_pull(blows - shields, left, w.near_boss, w.boss, w.boss_kill)
    elif shots and not power & (NO_SHOT | SHOT_ONLY_GRUNT) and (box.den[den, DOORS + room] >> lair) & 1:
        value = boss_pull(shots - shields, left, 0.0, w.boss, w.boss_kill)
    if not last:
        value -= w.far_boss * distance(box, den, room, lair)
    return value


@rule
def best_room(box, table, seat, total, carried, last, w):
    """The room in reach that draws the pawn most."""
    board = table.board[seat]
    den, here, power = board[DEN], board[ROOM], board[POWER]
    steps, blows = steps_ready(total), blows_ready(total)
    if power & LEAP_HIT:
        blows += ready(total, LEAP)
    shots, quiet = ready(total, SHOT), ready(total, EVADE)
    if power & SHOTS_EVADE:
        shots, quiet = 0, quiet + shots
    elif power & SHOOT_OWN_ROOM:
        blows += shots
    best, most = here, room_pull(box, table, seat, here, blows - carried, quiet, shots, last, w)
    if steps == 0:
        return best
    ways = box.den[den, STEPS + here]
    for room in range(box.den[den, ROOMS]):
        far = (ways >> (4 * room)) & 15
        if 0 < far <= steps:
            value = room_pull(box, table, seat, room, blows, quiet, shots, last, w) - w.step * far
            if value > most:
                best, most = room, value
    return best


@rule
def pinned(box, den, power, room, active):
    """An active BOUNCER holds the pawn."""
    return (box.den[den, INSIDE + room] & box.den[den, OF_KIND + BOUNCER] & active != 0
            and not power & IGNORE_BOUNCER)


@rule
def prey(box, table, seat, enemy, action):
    """How much it is worth to strike this minion."""
    board = table.board[seat]
    den = board[DEN]
    kind = box.den[den, KIND_OF + enemy]
    room = box.den[den, ROOM_OF + enemy]
    left = hits_needed(box, den, board[DOTTED], board[POWER],
                       box.den[den, INSIDE + room] & board[ALIVE] & ~board[EVADED])
    value = 3.0 / (1 + left)
    if box.den[den, ICONS_IN + room] and not (board[TAKEN] >> room) & 1:
        value += 2.0 / (1 + left)
    if kind == GRUNT:
        value += 4.0
    elif kind == BOUNCER and room == board[ROOM]:
        value += 3.0
    elif kind == GUNMAN:
        value += 1.2
    elif kind == HENCHMAN:
        value += 0.8
    elif action == KILL:
        value += 2.0
    elif (board[DOTTED] >> enemy) & 1 or board[POWER] & TOUGH_ONE_HIT:
        value += 2.0
    if action == EVADE and kind == TOUGH:
        value += 0.5
    return value
