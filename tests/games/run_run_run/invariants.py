"""What holds at every step of Run Run Run!"""

from hardmode.sim.games.run_run_run.mummies import power
from hardmode.sim.games.run_run_run.names import DQ, DR, FAR, IN_PILE, USED, Ending, Kind, Mummy, Phase, Token
from hardmode.sim.games.run_run_run.switches import EdgeMatching


def check(box, table, hidden):
    cards(box, table, hidden)
    tokens(box, table, hidden)
    mummies(box, table, hidden)
    maze(box, table)
    mechanisms(box, table)
    assert 0 <= table.torches and table.torches + table.torches_laid <= box.bank
    assert 0 <= table.regroups <= box.regroups
    for s in range(table.seats):
        assert 0 <= table.cat[s] < table.tiles_n
    assert sorted({table.hero[s] for s in range(table.seats)}) == sorted(table.hero[s] for s in range(table.seats))


def cards(box, table, hidden):
    """Every Room lies in exactly one place."""
    held = [hidden.own[s].hand[i] for s in range(table.seats) for i in range(table.hand_n[s])]
    deck = [hidden.deck[i] for i in range(table.deck_n)]
    gone = [table.discard[i] for i in range(table.discard_n)]
    laid = [table.card[t] for t in range(table.tiles_n) if table.card[t] >= 0]
    pool = [hidden.pool[i] for i in range(table.pool_n)]
    assert sorted(held + deck + gone + laid + pool) == list(range(box.cards)), "a Room is lost or lies twice"
    for s in range(table.seats):
        mine = {hidden.own[s].hand[i] for i in range(table.hand_n[s])}
        given = [hidden.own[s].give[i] for i in range(table.given[s])]
        assert set(given) <= mine and len(set(given)) == len(given)
        if table.seen_n:
            for c in range(box.cards):
                holder = hidden.own[s].seen[c]
                assert not holder or c in [hidden.own[holder - 1].hand[i] for i in range(table.hand_n[holder - 1])]


def tokens(box, table, hidden):
    pile = [hidden.tokens[i] for i in range(table.tokens_n)]
    assert sorted(pile) == [i for i in range(box.tokens) if table.token_at[i] == IN_PILE]
    for i in range(box.tokens):
        assert table.token_at[i] in (IN_PILE, USED) or table.token_at[i] <= table.seats
        assert box.token_kind[i] != Token.TRAP or table.token_at[i] in (IN_PILE, USED), "somebody keeps a Trap"


def mummies(box, table, hidden):
    there = [m for m in range(5) if table.at[m] >= 0]
    pile = [hidden.pile[i] for i in range(table.pile_n)]
    waking = [table.waking] if table.waking >= 0 else []
    gone = [m for m in range(4) if table.gone >> m & 1]
    assert sorted([m for m in there if m != Mummy.BOSS] + pile + waking + gone) == [0, 1, 2, 3]
    assert 0 <= table.hearts < box.wake_hearts
    assert 0 <= power(box, table) <= box.dice_cap
    for m in there:
        top = box.hp[Mummy.BOSS + table.boss] if m == Mummy.BOSS else box.hp[m]
        assert table.at[m] < table.tiles_n and 0 < table.hp[m] <= top
    out = table.exit_tile >= 0
    assert (table.boss >= 0) == out == (table.doors == 0 and table.kind != Kind.DOORWAY)
    assert not out or (table.pile_n == 0 and table.hearts == 0)
    if table.ending == Ending.WON:
        assert out and not there


def maze(box, table):
    """Sides match or are walls or passages; links are mutual; distances are those of a search from the Vault."""
    at = {(table.q[t], table.r[t]): t for t in range(table.tiles_n)}
    assert len(at) == table.tiles_n
    openings = 0
    for (q, row), t in at.items():
        for d in range(6):
            n = at.get((q + DQ[d], row + DR[d]), -1)
            mine, linked = table.exits[t] >> d & 1, table.links[t] >> d & 1
            assert table.near[t, d] == n + 1
            if n < 0:
                assert not linked
                openings += mine
                continue
            theirs, back = table.exits[n] >> (d + 3) % 6 & 1, table.links[n] >> (d + 3) % 6 & 1
            passage = table.passages[t] >> d & 1
            assert linked == back == ((mine and theirs) or passage)
            door = table.exit_tile in (t, n) and table.exit_tile >= 0
            lenient = box.edge_matching == EdgeMatching.LENIENT
            assert mine == theirs or passage or door or lenient, "an exit meets a wall"
    assert openings == table.openings
    assert distances(table) == [table.dist[t] for t in range(table.tiles_n)], "not in one piece, or wrong distances"
    edges = {table.edge_hex[e] for e in range(table.edges_n)}
    assert len(edges) == table.edges_n and all(table.grid[h] < 0 for h in edges)


def distances(table):
    found, rim = {0: 0}, [0]
    while rim:
        t = rim.pop(0)
        for d in range(6):
            n = table.near[t, d] - 1
            if table.links[t] >> d & 1 and n not in found:
                found[n] = found[t] + 1
                rim.append(n)
    return [found.get(t, FAR) for t in range(table.tiles_n)]


def mechanisms(box, table):
    rooms = range(table.tiles_n)
    assert sum(table.used_torch[t] for t in rooms) == 3 * table.torch_mechanisms
    assert sum(table.used_door[t] for t in rooms) == 3 * table.door_mechanisms
    assert table.torch_mechanisms + table.torch_tokens == box.torch_tokens
    assert table.door_mechanisms + table.doors == box.doors
    lit = sum(not table.lit[table.card[t]] and not table.dark[t] for t in rooms if table.card[t] >= 0)
    underway = table.tile > 0 and table.phase == Phase.LIGHT and table.kind == Kind.WINDOW
    assert table.torches_laid == lit - underway
