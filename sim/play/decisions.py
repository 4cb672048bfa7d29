"""A player's decision: what its strategy chooses, and how slips, search and labels come in between.

The decision loop asks a plain strategy itself; `decide` is for a player who searches, slips, is watched, keeps to
options of some labels, or has its choices counted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from hardmode.sim.contract import SCORES, WINNERS
from hardmode.sim.draws import FRACTION, GOLD, lucky, mix64
from hardmode.sim.play.workspace import COIN, MOST_WEIGHTS, PLAYED_ON, PLAYOUTS, REAL, TRIAL
from hardmode.sim.records import rule

LIKELY, SURE = (
    1.0,
    2.7,
)  # so many squared errors from none is a gain that is worth a closer look, or one to act on
AGAIN = 2  # how often the option that is left is tried in as many worlds again before it is taken
HAS_WRITTEN = -(1 << 62)  # in place of an index
_STRATEGY = np.uint64(0x5EED0F57A7E6135)
_SLIP = np.uint64(0x0B0BB1E5F1CE2C0D)


class Rules(NamedTuple):
    """A game's rules as first-class functions."""

    setup: Any
    options: Any
    take: Any
    redeal: Any
    outcome: Any
    label: Any


@rule
def coin_key(key: Any, step: int) -> Any:
    """The key of a strategy's own chance at one step.

    It keeps a strategy from drawing by accident what the game will draw. It is no secret: whoever means to can compute
    the game's key from it.
    """
    return mix64(mix64(np.uint64(key) ^ _STRATEGY) + np.uint64(step) * GOLD)


@rule
def slipped(key: Any, share: float) -> Any:
    """Whether a player gets this decision wrong; who slips at one share slips at every larger one."""
    return np.float64(mix64(key ^ _SLIP) >> np.uint64(11)) * FRACTION < share


@rule
def weighed(words: Any, n: int) -> int:
    """A sum that a change of any of the numbers moves."""
    total = 0
    for i in range(n):
        total += words[i] * (2 * i + 1)
    return total


@rule
def shown(desk: Any, seats: Any, who: int, n: int) -> int:
    """A sum over all that a strategy is shown and must leave alone."""
    first = who * MOST_WEIGHTS
    return (
        weighed(desk.table_words, desk.table_words.shape[0])
        ^ weighed(desk.lists[0], n)
        ^ weighed(desk.hidden_words, desk.hidden_words.shape[0])
        ^ weighed(seats.weight_words[first : first + seats.weights_n[who]], seats.weights_n[who])
    )


@rule
def worth(row: Any, seat: int) -> float:
    """What an outcome is worth to a seat: a win first, then the score."""
    return np.float64((row[WINNERS] >> seat) & 1) + 1e-4 * row[SCORES + seat]


@rule
def chosen(box, desk, choose, careless, seats, at, n, key, slips):
    """What the player to move chooses, at the real table or in a trial. In playouts of search nobody slips, and whoever
    plays on for the player chooses; `careless` has, for each seat, who slips, and after all of them who plays on."""
    seat, many = desk.tables[at].seat, seats.special.shape[0]
    who = seat if slips else seat + 2 * many
    if slips and seats.slips[seat] > 0 and slipped(key, seats.slips[seat]):
        who += many
    lucky(desk.lucks[COIN], key)
    by = choose[seat] if who < many else careless[who - many]
    return by(
        box,
        desk.tables[at],
        desk.hiddens[at].own[seat],
        desk.lists[at],
        n,
        desk.lucks[COIN],
        seats.weights[who, : seats.weights_n[who]],
    )


@rule
def playout(box, desk, rules, choose, careless, seats, first, limit, slips):
    """Play the trial on from a step to its end, and write its row; nobody searches."""
    step = first
    table, hidden, luck, codes = (
        desk.tables[TRIAL],
        desk.hiddens[TRIAL],
        desk.lucks[TRIAL],
        desk.lists[TRIAL],
    )
    while table.ending < 0 and step < limit:
        n = rules.options(box, table, hidden, codes)
        i = 0
        if n > 1:
            i = chosen(
                box, desk, choose, careless, seats, TRIAL, n, coin_key(luck.key, step), slips
            )
            if i < 0 or i >= n:
                i = 0
        elif n < 1:
            break
        rules.take(box, table, hidden, luck, codes[i])
        step += 1
    desk.totals[PLAYED_ON] += step - first
    rules.outcome(box, table, desk.row)


@rule
def trial(box, desk, rules, careless, seats, seat, i, key, limit):
    """What taking option i is worth in one world that the seat cannot tell from the real one."""
    desk.tables[TRIAL] = desk.tables[REAL]
    table, hidden, luck = desk.tables[TRIAL], desk.hiddens[TRIAL], desk.lucks[TRIAL]
    lucky(luck, key)
    rules.redeal(box, table, desk.hiddens[REAL].own[seat], hidden, luck)
    rules.take(box, table, hidden, luck, desk.lists[REAL][i])
    playout(box, desk, rules, careless, careless, seats, 0, limit, False)
    desk.totals[PLAYOUTS] += 1
    return worth(desk.cells, seat)


@rule
def best_first(rivals, left, gains):
    """Put the rivals in the order of what they gained; earlier options win ties."""
    for j in range(1, left):
        i, k = rivals[j], j
        while k > 0 and gains[rivals[k - 1]] < gains[i]:
            rivals[k] = rivals[k - 1]
            k -= 1
        rivals[k] = i


@rule
def compete(box, desk, rules, careless, seats, seat, first, left, worlds, world, limit):
    """Try the strategy's own choice and each rival left in `worlds` more worlds, and add up what they gain."""
    for w in range(1, worlds + 1):
        key = mix64(world + np.uint64(w) * GOLD)
        par = trial(box, desk, rules, careless, seats, seat, first, key, limit)
        for j in range(left):
            i = desk.lists[2][j]
            gain = trial(box, desk, rules, careless, seats, seat, i, key, limit) - par
            desk.gains[i] += gain
            desk.squares[i] += gain * gain


@rule
def staying(rivals, left, gains):
    """How many of the ordered rivals stay: the better half, and of that only who has gained something."""
    stay = (left + 1) // 2
    while stay > 0 and gains[rivals[stay - 1]] <= 0:
        stay -= 1
    return stay


@rule
def gained(desk, i, worlds, sure):
    """Whether an option has gained more in so many worlds than chance would explain."""
    mean = desk.gains[i] / worlds
    spread = desk.squares[i] / worlds - mean * mean
    return mean > 0 and mean * mean * (worlds - 1) > sure * spread


@rule
def deliberate(box, desk, rules, careless, seats, seat, n, first, key, limit):
    """Search: what the strategy below would choose, the first, unless another option is clearly better.

    All options left are tried in the same worlds, and judged by what they gain over the strategy's own choice. Who
    gains nothing leaves, and half of the others, so that clear decisions end soon. The last one, if its gain is likely,
    is tried in as many worlds again, and again; it must gain more than chance would explain.
    """
    if first < 0 or first >= n:
        return first
    rivals, gains, squares = desk.lists[2], desk.gains, desk.squares
    left, stages, worlds = 0, 2, 0
    for i in range(n):
        if i != first:
            gains[i] = squares[i] = 0.0
            rivals[left] = i
            left += 1
    while (1 << (stages - 1)) < n:
        stages += 1
    while True:
        more = max(1, seats.budget[seat] // (stages * (left + 1)))
        compete(
            box,
            desk,
            rules,
            careless,
            seats,
            seat,
            first,
            left,
            more,
            key + np.uint64(worlds) * GOLD,
            limit,
        )
        worlds += more
        best_first(rivals, left, gains)
        if left == 1 and worlds > more:
            break
        left = staying(rivals, left, gains)
        if left == 0:
            return first
    for _ in range(AGAIN):
        if not gained(desk, rivals[0], worlds, LIKELY):
            return first
        compete(
            box,
            desk,
            rules,
            careless,
            seats,
            seat,
            first,
            1,
            worlds,
            key + np.uint64(worlds) * GOLD,
            limit,
        )
        worlds *= 2
    return rivals[0] if gained(desk, rivals[0], worlds, SURE) else first


@rule
def asked(box, desk, rules, choose, careless, seats, n, key, limit, watching):
    """What the seat's player chooses of the first n options; HAS_WRITTEN where it wrote to what it was shown."""
    seat = desk.tables[REAL].seat
    slip = seats.slips[seat] > 0 and slipped(key, seats.slips[seat])
    who = seat + seats.special.shape[0] if slip else seat
    watching = watching and seats.watched[who] != 0
    before = shown(desk, seats, who, n) if watching else 0
    i = chosen(box, desk, choose, careless, seats, REAL, n, key, True)
    if watching and shown(desk, seats, who, n) != before:
        return HAS_WRITTEN
    if slip or seats.budget[seat] == 0:
        return i
    return deliberate(box, desk, rules, careless, seats, seat, n, i, key, limit)


@rule
def labelled(box, desk, label, seat, i):
    """The label of an option in the first list."""
    found = label(box, desk.tables[REAL], desk.hiddens[REAL].own[seat], desk.lists[0][i])
    return found if 0 <= found < desk.stamps.shape[0] else 0


@rule
def narrowed(box, desk, label, seats, seat, n):
    """Leave of the first list the options that the seat keeps to, in their order, if there are any."""
    offered, left = desk.lists[0], 0
    for i in range(n):
        if seats.keeps[seat, labelled(box, desk, label, seat, i)]:
            offered[left] = offered[i]
            left += 1
    return left


@rule
def content(box, desk, label, seats, seat, n, i):
    """Whether a player may stay with its choice: it is wrong anyway, or bears a label to which the player keeps."""
    return (
        seats.bound[seat] == 0
        or i < 0
        or i >= n
        or seats.keeps[seat, labelled(box, desk, label, seat, i)]
    )


@rule
def place_in_all(box, desk, options, i):
    """The place, among all options, of one that is left of them; a place that there is not stays none."""
    if i < 0:
        return i
    chosen, place = desk.lists[0][i], 0
    n = options(box, desk.tables[REAL], desk.hiddens[REAL], desk.lists[0])
    while place < n and desk.lists[0][place] != chosen:
        place += 1
    return place


@rule
def count_one(desk, key, kind, taken, label):
    """A label was on offer, or taken."""
    desk.chances[taken, label, kind] += 1
    if desk.latest[taken, label] != key:
        desk.latest[taken, label] = key
        desk.games[taken, label] += 1


@rule
def count_labels(box, desk, label, seat, n, i):
    """Count what was on offer, and what was taken, where options of several labels were."""
    kind, key, several = desk.tables[REAL].kind, desk.lucks[REAL].key, desk.lists[2]
    if i < 0 or i >= n or kind < 0 or kind >= desk.decided.shape[0]:
        return
    desk.decided[kind] += 1
    desk.stamp += 1
    found = 0
    for j in range(n):
        one = labelled(box, desk, label, seat, j)
        if desk.stamps[one] != desk.stamp:
            desk.stamps[one] = desk.stamp
            several[found] = one
            found += 1
    if found > 1:
        for j in range(found):
            count_one(desk, key, kind, 0, several[j])
        count_one(desk, key, kind, 1, labelled(box, desk, label, seat, i))


def decide(
    box,
    desk,
    setup,
    options,
    take,
    redeal,
    outcome,
    label,
    choose,
    careless,
    seats,
    n,
    key,
    limit,
    watching,
):
    """The choice of a player who searches, slips, is watched, keeps to some labels, or has its choices counted.

    One who keeps to some labels chooses among all options, and again among those, if there are any and it took none.
    """
    rules = Rules(setup, options, take, redeal, outcome, label)
    seat, left, i = desk.tables[REAL].seat, n, 0
    while True:
        if left > 1:
            i = asked(box, desk, rules, choose, careless, seats, left, key, limit, watching)
        if left < n or content(box, desk, label, seats, seat, n, i):
            break
        some = narrowed(box, desk, label, seats, seat, n)
        if some == 0:
            break
        left, i = some, 0
    if left < n:
        i = place_in_all(box, desk, options, i) if i < left else n
    if seats.counted[seat]:
        count_labels(box, desk, label, seat, n, i)
    return i
