"""What a player can work out at the table: how soon a mummy arrives, how hard a hand hits, what a hex promises."""


from hardmode.sim.games.run_run_run.attacks import BASE
from hardmode.sim.games.run_run_run.maze import beside, distance, edge_at, is_room, mark_of
from hardmode.sim.games.run_run_run.mummies import card_of, power
from hardmode.sim.games.run_run_run.names import ARGUMENTS, FAR, Hero, Mark, Verb
from hardmode.sim.records import rule

# A prospect packs, for each symbol, whether a Room with it on this hex would trigger a door or a torch
# mechanism, and how many further hexes it would make ready for a door mechanism.
DOOR_BIT, TORCH_BIT, READY_BIT = 0, 4, 8
NEVER = 1000.0

# Heroes, the one that wins most games alone first.
FAVOURITES = tuple(int(hero) for hero in (Hero.BRAWLER, Hero.DRAWER, Hero.TORCHBEARER, Hero.DIGGER))


@rule
def eta(box, table, m):
    """Player turns until a mummy reaches the Vault, at its mean speed."""
    if table.at[m] < 0:
        return NEVER
    speed = power(box, table) * box.mean_symbols + box.steps[card_of(table, m)]
    return table.dist[table.at[m]] / max(speed, 0.05)


@rule
def nearest(box, table):
    """The mummy that arrives first, or -1."""
    best, least = -1, NEVER
    for m in range(5):
        if table.at[m] >= 0:
            turns = eta(box, table, m)
            if turns < least:
                best, least = m, turns
    return best


@rule
def hearts_on(table, t):
    """The hearts of all mummies on a tile."""
    n = 0
    for m in range(5):
        if table.at[m] == t:
            n += table.hp[m]
    return n


@rule
def strength(box, table, hand, n, need):
    """The most dice that a hand can commit and keep one card, after the fuel for so many steps too far."""
    total, least, fuel = 0, 9, 9
    for i in range(n):
        exits = box.exits[hand[i]]
        total += exits
        least = min(least, exits)
        if exits >= need:
            fuel = min(fuel, exits)
    if need > 0:
        total -= fuel
    return min(max(total - least, 0), box.combat_cap)


@rule
def punch(box, table, seat, dice):
    """The mean damage of so many dice."""
    per_die = box.mean_hits
    if table.hero[seat] == Hero.BRAWLER:
        per_die += 1.0 / box.combat_faces
    return dice * per_die


@rule
def mean_hand(table):
    n = 0
    for s in range(table.seats):
        n += table.hand_n[s]
    return n / table.seats


@rule
def prospect(table, e):
    """What a Room on this edge could do, for each symbol, packed."""
    found = 0
    first = table.edge_tile[e, 5] - 1
    t = table.edge_tile[e, 0] - 1
    before = first
    for d in range(6):
        after = first if d == 5 else table.edge_tile[e, d + 1] - 1
        if t >= 0:
            x = mark_of(table, t)
            if x != Mark.SARCOPHAGUS and x != Mark.PLAIN:
                if not table.used_door[t]:
                    ready = (before < 0) + (after < 0)
                    for symbol in range(1, 4):
                        if symbol != x:
                            found += ready << (READY_BIT + 4 * symbol)
                if after >= 0:
                    found |= pair(table, t, x, after)
        before, t = t, after
    return found


@rule
def pair(table, a, x, b):
    """The third symbol that would complete a triangle with two neighbouring tiles, as a bit."""
    y = mark_of(table, b)
    if y == Mark.SARCOPHAGUS or y == Mark.PLAIN:
        return 0
    if x == y:
        return 0 if table.used_torch[a] or table.used_torch[b] else 1 << (TORCH_BIT + x)
    return 0 if table.used_door[a] or table.used_door[b] else 1 << (DOOR_BIT + 6 - x - y)


@rule
def shortcut(table, e, sides):
    """How many steps the mummies would save through a Room that connects these sides."""
    least, most = FAR, 0
    for d in range(6):
        if sides >> d & 1:
            steps = distance(table, table.edge_tile[e, d] - 1)
            least, most = min(least, steps), max(most, steps)
    return max(most - least - 2, 0)


@rule
def depth(table, e, sides):
    """The distance to the Vault that a Room connected through these sides would have."""
    least = FAR
    for d in range(6):
        if sides >> d & 1:
            least = min(least, distance(table, table.edge_tile[e, d] - 1))
    return least + 1


@rule
def next_tile(table, m):
    """The first tile on a shortest way of a mummy to the Vault, or -1 when it is there."""
    t = table.at[m]
    for d in range(6):
        if table.links[t] >> d & 1:
            b = table.near[t, d] - 1
            if table.dist[b] < table.dist[t]:
                return b
    return -1


@rule
def find(options, n, what):
    """The first option of a kind, or -1."""
    for i in range(n):
        if options[i] // ARGUMENTS == what:
            return i
    return -1


@rule
def best_fight(box, table, own, options, n):
    """The Fight against the mummy that arrives first, with the dice it can have."""
    best, dice, least = -1, 0, NEVER + 1
    for i in range(n):
        if options[i] // ARGUMENTS == Verb.FIGHT:
            t = options[i] % ARGUMENTS
            force = strength(box, table, own.hand, table.hand_n[table.active], table.walk[t] - box.base_move)
            for m in range(5):
                if table.at[m] == t and force > 0 and eta(box, table, m) < least:
                    best, dice, least = i, force, eta(box, table, m)
    return best, dice


@rule
def outlook(table, mask):
    """How many open exits of a Room on the chosen hex would face hexes that can be joined twice."""
    n = 0
    for d in range(6):
        if mask >> d & 1:
            e = edge_at(table, beside(table.place, d))
            if e >= 0 and table.edge_open[e]:
                n += 1
    return n


@rule
def place_of(options, n, code):
    """Where an option stands; 0 where it is not offered."""
    for i in range(n):
        if options[i] == code:
            return i
    return 0


@rule
def most_of(options, n, limit):
    """The largest number up to a limit, or the least of all."""
    best = 0
    for i in range(1, n):
        a, b = options[i], options[best]
        if (b < a <= limit) or (b > limit and a < b):
            best = i
    return best


@rule
def cheapest(box, options, n):
    """The card with the fewest exits among cards."""
    best = 0
    for i in range(n):
        if box.exits[options[i]] < box.exits[options[best]]:
            best = i
    return best


@rule
def farthest(table, options, n):
    """The tile that is farthest from the Vault."""
    best = 0
    for i in range(1, n):
        if table.dist[options[i]] > table.dist[options[best]]:
            best = i
    return best


@rule
def split(table, options, n):
    """The split after which the smallest hand of those attacked is largest."""
    best, most = 0, -99
    for i in range(n):
        least = 99
        for s in range(table.seats):
            least = min(least, table.hand_n[s] - options[i] // BASE ** s % BASE)
        if least > most:
            best, most = i, least
    return best


@rule
def strike(box, table, options, n):
    """The mummy with the fewest hearts; among equals the one that arrives first."""
    best = 0
    for i in range(1, n):
        a, b = options[i], options[best]
        if table.hp[a] < table.hp[b] or (table.hp[a] == table.hp[b] and eta(box, table, a) < eta(box, table, b)):
            best = i
    return best


@rule
def doorway(table, options, n):
    """The opening that is farthest from the Vault."""
    best = 0
    for i in range(1, n):
        if table.dist[options[i] // 6 % 66] > table.dist[options[best] // 6 % 66]:
            best = i
    return best


@rule
def favourite(options, n):
    """The free hero that is worth most to someone who fights."""
    for k in range(len(FAVOURITES)):
        for i in range(n):
            if options[i] == FAVOURITES[k]:
                return i
    return 0


@rule
def farthest_room(table):
    """How far from the Vault a mummy could be made to wake."""
    steps = 0
    for t in range(table.tiles_n):
        if is_room(table, t):
            steps = max(steps, distance(table, t))
    return steps
