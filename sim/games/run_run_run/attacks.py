"""The mummies attack: the split of the damage, shields, discards."""

from hardmode.sim.games.run_run_run.cards import held, wound
from hardmode.sim.games.run_run_run.maze import cats_on, sides_in
from hardmode.sim.games.run_run_run.mummies import card_of
from hardmode.sim.games.run_run_run.names import SEATS, Ending, Kind, Phase, Token
from hardmode.sim.games.run_run_run.switches import DamageDiscard, DamageMode, ShieldScope
from hardmode.sim.records import rule

BASE = 16  # shares are packed four bits each


@rule
def attacker(table):
    """The attacking mummy: they strike one after the other."""
    m = 0
    while not table.attackers >> m & 1:
        m += 1
    return m


@rule
def attack(box, table):
    """The next attack, up to the split of its damage."""
    if table.attackers == 0:
        table.phase = table.after_attack
        return
    m = attacker(table)
    damage = box.damage[card_of(table, m)]
    cats = cats_on(table, table.at[m])
    table.asked = 0
    table.phase = Phase.SHIELDS
    for s in range(SEATS):
        table.share[s] = damage if cats >> s & 1 else 0
    if sides_in(cats) > 1 and damage > 0 and box.damage_mode == DamageMode.SPLIT:
        table.kind = Kind.SPLIT
        table.seat = clockwise_first(table, cats)


@rule
def clockwise_first(table, cats):
    """The active player if he is among these, else the first of them clockwise from him."""
    s = table.active
    while not cats >> s & 1:
        s = (s + 1) % table.seats
    return s


@rule
def most(box, table, cats, damage, s):
    """The most damage that a Cat may be sent: none if it is elsewhere."""
    if not cats >> s & 1:
        return 0
    if box.shield_scope == ShieldScope.OWN_SHARE and held(box, table, s, Token.SHIELD) >= 0:
        return -(-damage // sides_in(cats))
    return damage


@rule
def splits(box, table, out):
    """All ways to share the damage out among the Cats in the Room, as packed shares."""
    m = attacker(table)
    damage = box.damage[card_of(table, m)]
    cats = cats_on(table, table.at[m])
    last = most(box, table, cats, damage, 3)
    n = 0
    for a in range(most(box, table, cats, damage, 0) + 1):
        for b in range(most(box, table, cats, damage, 1) + 1):
            for c in range(most(box, table, cats, damage, 2) + 1):
                rest = damage - a - b - c
                if 0 <= rest <= last:
                    out[n] = a + BASE * (b + BASE * (c + BASE * rest))
                    n += 1
    return n


@rule
def take_split(table, code):
    for s in range(SEATS):
        table.share[s] = code // BASE ** s % BASE


@rule
def shields(box, table):
    """Ask every attacked Cat that holds a Shield."""
    s = table.active
    for _ in range(table.seats):
        if table.share[s] > 0 and not table.asked >> s & 1 and held(box, table, s, Token.SHIELD) >= 0:
            if s == table.active or not box.shield_own_turn_only:
                table.asked |= 1 << s
                table.kind = Kind.SHIELDING
                table.seat = s
                return
        s = (s + 1) % table.seats
    table.phase = Phase.WOUNDS


@rule
def wounds(box, table, hidden, luck):
    """Discard for what is left of the attack. Who must discard the last card loses the game for all."""
    for s in range(table.seats):
        while table.share[s] > 0:
            if table.share[s] >= table.hand_n[s]:
                table.ending = Ending.WOUNDED
                return
            if box.damage_discard == DamageDiscard.OWNER_CHOOSES:
                table.kind = Kind.DROP
                table.seat = s
                return
            table.share[s] -= 1
            table.wounded += 1
            wound(table, hidden, luck, s)
    table.attackers &= table.attackers - 1
    table.phase = Phase.ATTACK
