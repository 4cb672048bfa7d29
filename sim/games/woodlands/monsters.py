"""Monster tokens: their stack, where they stand, which are face up, and where beaten ones go."""

from hardmode.sim.draws import shuffle
from hardmode.sim.games.woodlands.names import NOWHERE, TOKENS, Chance, Monster, Special
from hardmode.sim.games.woodlands.switches import CampWithMonsters, MonsterEmpty
from hardmode.sim.records import rule


@rule
def shuffle_monsters(table, hidden, luck):
    table.mon_shuffles += 1
    shuffle(luck, Chance.MONSTER_STACK, table.attempt * 1000 + table.mon_shuffles, hidden.mon_stack, table.mon_n)


@rule
def stack_all(box, table, hidden, luck):
    """All tokens face down in one stack."""
    for i in range(TOKENS):
        table.mon_at[i] = NOWHERE
        table.mon_type[i] = -1
        table.mon_out[i] = 0
    for i in range(box.token_n):
        hidden.mon_stack[i] = i
    table.mon_n = box.token_n
    shuffle_monsters(table, hidden, luck)


@rule
def restack_discard(box, table, hidden, luck):
    for i in range(box.token_n):
        if table.mon_out[i]:
            table.mon_out[i] = 0
            hidden.mon_stack[table.mon_n] = i
            table.mon_n += 1
    shuffle_monsters(table, hidden, luck)


@rule
def spawn(box, table, hidden, luck, place):
    """Put the next monster token face down on a place; its slot, or -1 when none is left."""
    if table.mon_n == 0 and box.monster_empty == MonsterEmpty.RESHUFFLE and table.chapter != 3:
        restack_discard(box, table, hidden, luck)
    if table.mon_n == 0:
        return -1
    slot = 0
    while table.mon_at[slot] != NOWHERE:
        slot += 1
    table.mon_n -= 1
    hidden.mon_id[slot] = hidden.mon_stack[table.mon_n]
    table.mon_at[slot] = place
    table.mon_type[slot] = -1
    table.mon_leaf[slot] = 0
    table.mon_frozen[slot] = 0
    table.mon_fought[slot] = 0
    table.mon_wins[slot] = 0
    table.mon_orbs[slot] = 0
    table.mon_vortex[slot] = 0
    return slot


@rule
def reveal(box, table, hidden, slot):
    """Turn a token face up; an enraged plant appears with a leaf shield."""
    if table.mon_type[slot] >= 0:
        return
    kind = box.kind_of[hidden.mon_id[slot]]
    table.mon_type[slot] = kind
    if table.first_foe == 0:
        table.first_foe = kind + 1
    if kind == Monster.PLANT and table.enraged[Monster.PLANT]:
        table.mon_leaf[slot] = 1


@rule
def lay_away(table, hidden, slot):
    """To the face-up discard."""
    table.mon_out[hidden.mon_id[slot]] = 1
    table.mon_at[slot] = NOWHERE
    table.mon_type[slot] = -1


@rule
def send_back(table, hidden, luck, slot):
    """Shuffle a token back into the stack."""
    hidden.mon_stack[table.mon_n] = hidden.mon_id[slot]
    table.mon_n += 1
    table.mon_at[slot] = NOWHERE
    table.mon_type[slot] = -1
    shuffle_monsters(table, hidden, luck)


@rule
def monsters_at(table, place):
    """How many monsters stand with those on a place."""
    n = 0
    spot = table.spot[place]
    for i in range(TOKENS):
        if table.mon_at[i] >= 0 and table.spot[table.mon_at[i]] == spot:
            n += 1
    return n


@rule
def fire_heals(box, table, p):
    """A campfire, not hindered by monsters where a rule says so."""
    if table.special[p] != Special.CAMPFIRE:
        return False
    return not ((box.camp_with_monsters == CampWithMonsters.BLOCKED or table.chapter == 1) and monsters_at(table, p))
