"""What comes of a combat: hits, victory and its rewards, defeat, damage and penalties."""

from hardmode.sim.games.woodlands.agenda import Task, ask, finish, option, push
from hardmode.sim.games.woodlands.boss import boss_stands
from hardmode.sim.games.woodlands.chapters.hooks import combat_lost
from hardmode.sim.games.woodlands.effects import push_pair
from hardmode.sim.games.woodlands.foes import hearts_of, is_enraged, kind_of, leaves_of, shield_of, sword_of
from hardmode.sim.games.woodlands.heroes import hurt, is_active, mark, seat_of
from hardmode.sim.games.woodlands.loot import armour, ready, spend
from hardmode.sim.games.woodlands.monsters import lay_away, send_back
from hardmode.sim.games.woodlands.names import (
    BOSS_FOE,
    PAIR,
    SLOTS,
    TOKENS,
    Cause,
    Effect,
    Ending,
    Hero,
    Kind,
    LairRule,
    LootEffect,
    Monster,
    Part,
    Verb,
)
from hardmode.sim.games.woodlands.switches import (
    BossPenalty,
    DrawnUndefeated,
    GroupContinue,
    GuardDefeated,
    Leaf,
    PenaltyOnDown,
    SpiritReward,
    StanceScope,
)
from hardmode.sim.records import rule


@rule
def raw_hits(box, table):
    """Dice that reach the shield, before leaf shields; a bomb hits by itself."""
    shield = shield_of(box, table, table.foe)
    hits = table.auto_hits
    for i in range(table.dice_n):
        if table.face[i] + table.plus[i] >= shield:
            hits += 1
    return hits


@rule
def hits_after_leaves(box, table):
    """What gets through the leaf shields, and uses them up."""
    leaves = leaves_of(table, table.foe)
    hits = raw_hits(box, table)
    if leaves == 0 or hits == 0:
        return hits
    if box.leaf == Leaf.ONE_HIT:
        used = min(leaves, hits)
        left = hits - used
    else:
        left, used = hits_past_heroes(box, table, hits, leaves)
    if table.foe == BOSS_FOE:
        table.boss_leaf -= used
    else:
        table.mon_leaf[table.foe] -= used
    return left


@rule
def hits_past_heroes(box, table, hits, leaves):
    """The other reading: a leaf shield takes all hits of one hero, the active one first."""
    used = 0
    shield = shield_of(box, table, table.foe)
    for k in range(table.seats):
        t = (table.active + k) % table.seats
        mine = table.auto_hits if k == 0 else 0
        for i in range(table.dice_n):
            if table.owner[i] == t and table.face[i] + table.plus[i] >= shield:
                mine += 1
        if mine and used < leaves:
            used += 1
            hits -= mine
    return hits, used


@rule
def resolve(box, table, hidden, luck, foe):
    won = hits_after_leaves(box, table) >= hearts_of(box, table, foe)
    if is_enraged(table, foe, Monster.SNAKE):
        for t in range(table.seats):
            if table.joined[t] == Part.ALONGSIDE:
                mark(box, table, t, Effect.POISON)
    if won and foe == BOSS_FOE:
        beat_boss(box, table)
    elif won:
        table.won_by[table.mon_type[foe]] += 1
        beat_monster(box, table, hidden, luck, foe)
    else:
        if foe != BOSS_FOE:
            table.lost_to[table.mon_type[foe]] += 1
            table.mon_wins[foe] = 0
        push(table, Task.LOST, foe, 0, 0)


@rule
def beat_boss(box, table):
    """In the campaign those who took part on the tile share what the boss guarded, after the chapter."""
    table.boss_alive = 0
    table.bosses_beaten += 1
    table.treasure_n = box.b_treasure[table.boss] + box.chest[table.tile_of[table.boss_at]]
    for t in range(table.seats):
        table.treasure[t] = table.joined[t] == Part.ALONGSIDE
    if table.chapter == 0:
        finish(table, Ending.BOSS_BEATEN)
    else:
        push(table, Task.CHAPTER_WON, BOSS_FOE, 0, 0)


@rule
def beat_monster(box, table, hidden, luck, foe):
    kind = table.mon_type[foe]
    if is_enraged(table, foe, Monster.SPIRIT) and table.mon_wins[foe] == 0:
        table.mon_wins[foe] = 1
        push(table, Task.COMBAT, foe, table.foe_drawn, 0)
        if box.spirit_reward == SpiritReward.EACH:
            push_reward(table, box.mon_reward[kind])
        return
    if table.chapter:
        push(table, Task.CHAPTER_WON, foe, table.mon_orbs[foe], 0)
    push_reward(table, box.mon_reward[kind])
    if box.guard_defeated == GuardDefeated.STAYS and boss_stands(table, table.mon_at[foe]):
        table.mon_wins[foe] = 0
    elif box.mon_returns[kind] and table.enraged[kind] == 0:
        send_back(table, hidden, luck, foe)
    else:
        table.beaten[kind] += 1
        lay_away(table, hidden, foe)


@rule
def push_reward(table, pair):
    for i in range(PAIR - 1, -1, -1):
        if pair[i, 0] != Effect.NOTHING:
            push(table, Task.REWARD, pair[i, 0], pair[i, 1], 0)


@rule
def push_reward_of(table, effect, amount):
    push(table, Task.REWARD, effect, amount, 0)


@rule
def sharers(table):
    """How many heroes may share a reward: those who took part on the tile."""
    n = 0
    for t in range(table.seats):
        if table.joined[t] == Part.ALONGSIDE and table.hp[t] > 0:
            n += 1
    return n


@rule
def share(table, effect, amount):
    """Share a reward orb by orb, card by card."""
    if amount <= 0 or table.hp[table.active] == 0:
        return
    if sharers(table) == 1:
        push(table, Task.EFFECT, effect, amount, table.active)
        return
    push(table, Task.REWARD, effect, amount - 1, 0)
    table.drawn_by = effect
    ask(table, Kind.SHARE, table.active)


@rule
def share_options(table, out):
    n = 0
    for t in range(table.seats):
        if table.joined[t] == Part.ALONGSIDE and table.hp[t] > 0:
            out[n] = option(Verb.RECIPIENT, t, 0)
            n += 1
    return n


@rule
def take_share(table, t):
    push(table, Task.EFFECT, table.drawn_by, 1, t)


@rule
def may_freeze(table, foe):
    """Sha'Vi is the active hero, with a die on her frost bolt, and the monster is not frozen yet."""
    s = table.active
    return foe != BOSS_FOE and table.mon_frozen[foe] == 0 and is_active(table, s, Hero.SHAVI) and table.b_left > 0


@rule
def first_blow(box, table, asked):
    """An enraged mushroom deals its damage before the dice are rolled, unless Sha'Vi freezes it."""
    foe = table.foe
    if is_enraged(table, foe, Monster.MUSHROOM) and table.mon_frozen[foe] == 0:
        if may_freeze(table, foe) and not asked:
            push(table, Task.JOINED, 1, 0, 0)
            ask(table, Kind.FROST, table.active)
        else:
            strike(box, table, Monster.MUSHROOM, sword_of(box, table, foe), bool(box.mush_supporters))


@rule
def strike(box, table, striker, sword, supporters):
    """The damage of a foe that was not beaten: its sword for the active hero, a heart for each supporter."""
    if shield_all(box, table):
        return
    for t in range(table.seats):
        if supporters and t != table.active and table.joined[t] == Part.ALONGSIDE:
            if table.stance[t] > 0:
                table.stance[t] -= 1
            else:
                hurt(table, t, 1, Cause.BOSS if striker == BOSS_FOE else Cause.MONSTER)
    push(table, Task.ATTACK, table.active, sword, striker)


@rule
def lose(box, table, hidden, foe, asked):
    """A lost combat; Sha'Vi may still freeze the monster before it strikes."""
    if may_freeze(table, foe) and not asked:
        push(table, Task.LOST, foe, 1, 0)
        ask(table, Kind.FROST, table.active)
        return
    striker, sword = kind_of(table, foe), sword_of(box, table, foe)
    struck = is_enraged(table, foe, Monster.MUSHROOM)
    frozen = foe != BOSS_FOE and table.mon_frozen[foe] > 0
    if foe != BOSS_FOE:
        battle_lost(box, table, hidden, foe)
    combat_lost(box, table, foe)
    if not frozen:
        push(table, Task.PENALTY, striker, 0, 0)
        if not struck:
            strike(box, table, striker, sword, True)


@rule
def battle_lost(box, table, hidden, foe):
    """What a monster that was not beaten changes besides the harm it does."""
    if box.group_continue == GroupContinue.STOP_ON_LOSS:
        for m in range(TOKENS):
            table.mon_fought[m] = table.visit
    if table.in_lair and box.lair_rule[table.lair_a] == LairRule.BACK_AFTER_LOSS:
        table.lair_space = max(1, table.lair_space - 1)
    if table.foe_drawn and box.drawn_undefeated == DrawnUndefeated.DISCARD:
        lay_away(table, hidden, foe)


@rule
def shield_all(box, table):
    """In the wider reading, Klethor's stance spares everybody who takes part."""
    k = seat_of(table, Hero.KLETHOR)
    if box.stance_scope == StanceScope.KLETHOR or k < 0:
        return False
    if table.joined[k] == Part.ALONGSIDE and table.stance[k] > 0:
        table.stance[k] -= 1
        return True
    return False


@rule
def frost_options(out):
    out[0] = option(Verb.NO, 0, 0)
    out[1] = option(Verb.FREEZE, 0, 0)
    return 2


@rule
def freeze(table, foe):
    """There is one frost marker."""
    for m in range(TOKENS):
        table.mon_frozen[m] = 0
    table.b_left -= 1
    table.mon_frozen[foe] = 1


@rule
def attack(box, table, s, amount, striker):
    """One attack: the stance turns it away, armour softens it, cards may take the rest."""
    if amount > 0 and table.stance[s] > 0:
        table.stance[s] -= 1
        amount = 0
    if amount >= 2:
        amount = max(1, amount - armour(box, table, s))
    push(table, Task.PARRY, s, amount, striker)


@rule
def parry(box, table, s, amount, striker):
    if amount > 0 and s == table.active:
        for i in range(SLOTS):
            if ready(box, table, s, i, LootEffect.ABSORB):
                table.hit_amount = amount
                table.striker = striker
                ask(table, Kind.PARRY, s)
                return
    push(table, Task.HIT, s, amount, striker)


@rule
def parry_options(box, table, out):
    out[0] = option(Verb.NO, 0, 0)
    n = 1
    for i in range(SLOTS):
        if ready(box, table, table.seat, i, LootEffect.ABSORB):
            out[n] = option(Verb.USE, i, 0)
            n += 1
    return n


@rule
def take_parry(box, table, verb, i):
    s = table.seat
    if verb == Verb.NO:
        push(table, Task.HIT, s, table.hit_amount, table.striker)
    else:
        less = spend(box, table, s, i)
        push(table, Task.PARRY, s, max(0, table.hit_amount - less), table.striker)


@rule
def hit(box, table, s, amount, striker):
    hurt(table, s, amount, Cause.BOSS if striker == BOSS_FOE else Cause.MONSTER)
    if table.hp[s] == 0 and s == table.active and box.penalty_on_down == PenaltyOnDown.APPLY:
        table.cut_striker = striker + 1


@rule
def penalty(box, table, striker):
    """The lost-combat effect of a kind of monster or of the boss, for the active hero alone."""
    s = table.active
    if striker < BOSS_FOE:
        push_pair(table, box.mon_penalty[striker], s)
    elif box.boss_penalty == BossPenalty.CARD:
        push_pair(table, box.boss_penalty_of[table.boss], s)


