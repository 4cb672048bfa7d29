"""The mummies' actions: the dice, their steps, the hearts, the awakening."""

import numpy as np

from hardmode.sim.draws import below, shuffle
from hardmode.sim.games.run_run_run.maze import cats_on, distance, is_room
from hardmode.sim.games.run_run_run.names import FAR, Ending, Kind, Mummy, Phase, Source
from hardmode.sim.games.run_run_run.switches import (
    AttackTiming,
    DieHeartWithoutPile,
    PinnedMummy,
    SpawnRule,
    StopScope,
    SymbolOrder,
)
from hardmode.sim.records import rule


@rule
def card_of(table, m):
    """Where the box keeps a mummy's numbers; the Boss has those of its card."""
    return Mummy.BOSS + table.boss if m == Mummy.BOSS else m


@rule
def in_maze(table):
    """The mummies in the maze, as a mask."""
    mask = 0
    for m in range(5):
        if table.at[m] >= 0:
            mask |= 1 << m
    return mask


@rule
def power(box, table):
    """How many Mummy Dice are rolled."""
    dice = box.power
    for m in range(5):
        if table.at[m] >= 0:
            dice += box.dice[card_of(table, m)]
    return min(dice, box.dice_cap)


@rule
def roll(box, table, luck):
    """The symbols of this turn, and who is there to see them."""
    table.symbols = 0
    for die in range(power(box, table)):
        table.symbols += box.mummy_die[below(luck, Source.MUMMY_DIE, table.turn, die, 0, box.mummy_faces)]
    table.early = in_maze(table)
    table.stopped = 0
    table.beat = 0
    table.bonus = 0
    table.in_phase = 1
    table.phase = Phase.BEAT


@rule
def heart_is_due(box, table):
    """Whether the present beat of the mummy phase is a heart, not a step."""
    if box.symbol_order == SymbolOrder.BATCH:
        return table.beat >= table.symbols
    odd = table.beat % 2
    return 1 - odd if box.symbol_order == SymbolOrder.HEART_FIRST else odd


@rule
def beat(box, table, hidden):
    """One half of a symbol, or one bonus step, or the end of the phase."""
    if table.beat < 2 * table.symbols:
        heart = heart_is_due(box, table)
        table.beat += 1
        if heart:
            die_heart(box, table, hidden)
        else:
            march(table, in_maze(table), Phase.BEAT)
        return
    table.bonus += 1
    movers = 0
    for m in range(5):
        if table.early >> m & 1 and table.at[m] >= 0 and box.steps[card_of(table, m)] >= table.bonus:
            movers |= 1 << m
    if movers and (table.symbols or not box.bonus_step_needs_symbol):
        march(table, movers, Phase.BEAT)
    else:
        table.phase = Phase.PHASE_END


@rule
def march(table, movers, then):
    """Start one step of the mummies given, without those that have stopped in this phase."""
    table.movers = movers & ~table.stopped
    table.after_step = then
    table.phase = Phase.STEP


@rule
def advance_all(table, then):
    """The penalty: all mummies in the maze advance one Room."""
    table.penalty = 1
    march(table, in_maze(table), then)


@rule
def next_mover(table):
    """The mummy nearest to the Vault moves first."""
    best, least = -1, FAR
    for m in range(5):
        if table.movers >> m & 1 and distance(table, table.at[m]) < least:
            best, least = m, distance(table, table.at[m])
    return best


@rule
def paths(table, m, out):
    """The tiles next on a shortest way to the Vault."""
    t = table.at[m]
    n = 0
    for d in range(6):
        if table.links[t] >> d & 1:
            b = table.near[t, d] - 1
            if table.dist[b] < table.dist[t]:
                out[n] = b
                n += 1
    return n


@rule
def way_on(table, m):
    """The only tile next on a shortest way, -1 where the way forks."""
    t = table.at[m]
    links = np.int64(table.links[t])
    found = -1
    for d in range(6):
        if links >> d & 1:
            b = table.near[t, d] - 1
            if table.dist[b] < table.dist[t]:
                if found >= 0:
                    return -1
                found = b
    return found


@rule
def step(box, table):
    """Move the next mummy, unless the players must say which way."""
    m = next_mover(table)
    if m < 0:
        table.penalty = 0
        table.phase = table.after_step
        return
    table.movers &= ~(1 << m)
    table.mover = m
    if box.pinned_mummy == PinnedMummy.HOLD and cats_on(table, table.at[m]):
        return
    if table.at[m] == 0:
        if not box.vault_grace_turn:
            reach_vault(table, m)
        return
    t = way_on(table, m)
    if t < 0:
        table.kind = Kind.PATH
        table.seat = table.active
    else:
        enter(box, table, m, t)


@rule
def enter(box, table, m, t):
    """A mummy enters a tile: the Vault ends the game, a Cat stops it."""
    table.at[m] = t
    cats = cats_on(table, t)
    if t == 0 and not (box.vault_guard and cats):
        if not box.vault_grace_turn:
            reach_vault(table, m)
            return
        if table.grace == 0:
            table.grace = table.turn + 1 - table.in_phase
    if not cats:
        return
    if not (m == Mummy.BOSS and box.boss_unstoppable):
        if box.stop_scope == StopScope.PHASE:
            table.stopped |= 1 << m
    if box.attack_timing != AttackTiming.PHASE_END or not table.in_phase:
        table.attackers = 1 << m
        table.after_attack = Phase.STEP
        table.phase = Phase.ATTACK


@rule
def reach_vault(table, m):
    table.ending = Ending.VAULT_DICER + m
    table.dark_loss = table.penalty


@rule
def die_heart(box, table, hidden):
    """A heart from a die. Hearts wait at the last place while there is no Room to wake up in."""
    if table.pile_n == 0:
        table.phase = Phase.BEAT
        if box.die_heart_without_pile == DieHeartWithoutPile.ADVANCE:
            advance_all(table, Phase.BEAT)
        return
    add_heart(box, table, hidden, Phase.BEAT)


@rule
def add_heart(box, table, hidden, then):
    table.phase = then
    table.hearts += 1
    if table.hearts >= box.wake_hearts:
        if has_room(table):
            awake(box, table, hidden, then)
        else:
            table.hearts = box.wake_hearts - 1


@rule
def has_room(table):
    return table.tiles_n > 1 + (table.exit_tile >= 0)


@rule
def awake(box, table, hidden, then):
    """The top mummy card is turned over; its figure waits for a Room."""
    table.hearts = 0
    table.pile_n -= 1
    m = np.int64(hidden.pile[table.pile_n])
    table.waking = m
    table.woken += 1
    if table.first_woken == 0:
        table.first_woken = 1 + m
    table.torches -= min(table.torches, box.snuffs[m])
    table.after_wake = then
    table.phase = Phase.WAKE


@rule
def wake(box, table, luck):
    """Who chooses the waking Room: chance under one switch, else the active player."""
    if box.spawn_rule == SpawnRule.RANDOM:
        rooms = table.tiles_n - 1 - (table.exit_tile >= 0)
        t = 1 + below(luck, Source.WAKING_ROOM, table.woken, 0, 0, rooms)
        stand_up(box, table, t + (0 <= table.exit_tile <= t))
        return
    table.kind = Kind.WAKING
    table.seat = table.active


@rule
def stand_up(box, table, t):
    m = table.waking
    table.at[m] = t
    table.hp[m] = box.hp[m]
    table.waking = -1
    table.phase = table.after_wake


@rule
def waking_rooms(box, table, out):
    """The Rooms where the figure may be placed."""
    n, farthest = 0, 0
    for t in range(1, table.tiles_n):
        if is_room(table, t):
            out[n] = t
            n += 1
            farthest = max(farthest, distance(table, t))
    limit = FAR
    if box.spawn_rule == SpawnRule.NEAREST_HALF:
        limit = 0
        while rooms_within(table, limit) < (n + 1) // 2:
            limit += 1
    kept = 0
    for i in range(n):
        d = table.dist[out[i]]
        if d <= limit and (box.spawn_rule != SpawnRule.FARTHEST or d == farthest):
            out[kept] = out[i]
            kept += 1
    return kept


@rule
def rooms_within(table, limit):
    n = 0
    for t in range(1, table.tiles_n):
        n += is_room(table, t) and table.dist[t] <= limit
    return n


@rule
def phase_end(box, table, then):
    """The end of the mummy phase: under some readings the mummies attack now."""
    table.in_phase = 0
    table.stopped = 0
    table.phase = then
    if box.attack_timing == AttackTiming.ON_ENTER:
        return
    table.attackers = 0
    for m in range(5):
        if table.at[m] >= 0 and cats_on(table, table.at[m]):
            table.attackers |= 1 << m
    table.after_attack = then
    table.phase = Phase.ATTACK


@rule
def fall(table, hidden, luck, m):
    """A mummy has lost its last heart: back into the pile before the Boss comes, out of the game after."""
    table.at[m] = -1
    table.hp[m] = 0
    table.killed += 1
    if table.exit_tile >= 0:
        table.gone |= 1 << m
        return
    hidden.pile[table.pile_n] = m
    table.pile_n += 1
    table.reshuffles += 1
    shuffle(luck, Source.MUMMY_PILE, table.reshuffles, hidden.pile, table.pile_n)
