"""A table of Run Run Run! laid out by hand."""

import numpy as np

from hardmode.scenarios.load import create_variant
from hardmode.sim.draws import LUCK, lucky
from hardmode.sim.games.run_run_run import GAME, mummies, turn
from hardmode.sim.games.run_run_run.maze import lay
from hardmode.sim.games.run_run_run.names import (
    ARGUMENTS,
    EXIT_TILE,
    HEXES,
    IN_PILE,
    NO_DECISION,
    WIDTH,
    Boss,
    Kind,
    Mark,
    Mummy,
    Phase,
    Token,
    Verb,
)
from hardmode.sim.records import Cells, blank


def sides(*some):
    return sum(1 << d for d in some)


def hexagon(q, row):
    return (q + WIDTH * row) % HEXES


class Case:
    """A game set up, with the active player about to act."""

    def __init__(self, players=2, luck=1, setup=None, **rules):
        rules.setdefault("mummy_dice__faces", [0])  # the next turn brings no symbols
        heroes = (setup or {}).pop("heroes", None)
        chosen = {**(setup or {}), **({"heroes": heroes} if heroes else {})}
        switches = {f"switches.{k}": v for k, v in rules.pop("switches", {}).items()}
        dotted = {k.replace("__", "."): v for k, v in rules.items()}
        made = create_variant("run_run_run", players=players, setup=chosen, rules={**dotted, **switches})
        self.box = made.box.view(Cells)[0]
        self.tables, self.hiddens, self.lucks = blank(GAME.table), blank(GAME.hidden), blank(LUCK)
        self.table, self.hidden, self.luck = self.tables[0], self.hiddens[0], self.lucks[0]
        lucky(self.luck, luck)
        self.out = np.zeros(GAME.max_options, np.int64).view(Cells)
        GAME.setup(self.box, self.table, self.hidden, self.luck)
        self.table.turn = 1
        self.taken = set()

    # -- laying out

    def card(self, mark="plain", lit=True, exits=None, mask=None):
        """A Room card of this kind that is not in use yet; its print is changed where none is left."""
        for i in range(self.box.cards):
            c = (i + 20) % self.box.cards
            turned = [self.box.turned[c, j] for j in range(self.box.turns[c])]
            if c in self.taken or (exits and self.box.exits[c] != exits) or (mask is not None and mask not in turned):
                continue
            self.taken.add(c)
            self.table.mark[c], self.table.lit[c] = Mark.labels().index(mark), lit
            return c
        raise AssertionError("no such card is left")

    def room(self, q, row, *exits, mark="plain", lit=True):
        """A Room on the table; returns its tile."""
        return lay(self.table, hexagon(q, row), sides(*exits), self.card(mark, lit), 0)

    def hand(self, seat, *cards):
        for i, c in enumerate(cards):
            self.hidden.own[seat].hand[i] = c
            self.taken.add(c)
        self.table.hand_n[seat] = len(cards)

    def hand_of(self, seat, n):
        self.hand(seat, *(self.card() for _ in range(n)))

    def deck(self, *cards):
        """The deck, the top first."""
        for i, c in enumerate(reversed(cards)):
            self.hidden.deck[i] = c
        self.table.deck_n = len(cards)

    def discards(self, *cards):
        for i, c in enumerate(cards):
            self.table.discard[i] = c
        self.table.discard_n = len(cards)

    def token(self, kind, seat=0, value=None):
        """Give a token of a kind to a seat; returns its number."""
        for i in range(self.box.tokens):
            fits = self.box.token_kind[i] == Token.labels().index(kind) and value in (None, self.box.token_value[i])
            if fits and self.table.token_at[i] == IN_PILE:
                self.table.token_at[i] = 1 + seat
                self.pile()
                return i
        raise AssertionError(f"no {kind} is left")

    def pile(self, *first):
        """The sarcophagus pile without the tokens that are held; the given kinds on top."""
        kinds = [Token.labels().index(k) for k in first]
        left = [i for i in range(self.box.tokens) if self.table.token_at[i] == IN_PILE]
        top = []
        for k in kinds:
            top.append(next(i for i in left if self.box.token_kind[i] == k and i not in top))
        order = [i for i in left if i not in top] + top[::-1]
        for i, t in enumerate(order):
            self.hidden.tokens[i] = t
        self.table.tokens_n = len(order)

    def mummy(self, m, t, hp=5):
        """A mummy in the maze; its card leaves the pile."""
        self.table.at[m], self.table.hp[m] = t, hp
        if m != Mummy.BOSS:
            left = [self.hidden.pile[i] for i in range(self.table.pile_n) if self.hidden.pile[i] != m]
            self.set_pile(*reversed(left))

    def set_pile(self, *types):
        """The mummy pile, the top first."""
        for i, m in enumerate(reversed(types)):
            self.hidden.pile[i] = m
        self.table.pile_n = len(types)

    def all_awake(self, *tiles):
        for m, t in enumerate(tiles):
            self.mummy(m, t)

    def boss(self, name, t, hp=None):
        """The Boss is out, and the Exit Door is tile t."""
        self.table.boss = self.hidden.boss = Boss.labels().index(name)
        self.table.exit_tile, self.table.card[t] = t, EXIT_TILE
        self.table.doors = self.table.pile_n = self.table.hearts = 0
        for m in range(4):
            if self.table.at[m] < 0:
                self.table.gone |= 1 << m
        self.mummy(Mummy.BOSS, t, hp or self.box.hp[Mummy.BOSS + self.table.boss])

    # -- playing

    def run(self, phase=None):
        if phase is not None:
            self.table.phase, self.table.kind = phase, NO_DECISION
        turn.run(self.box, self.table, self.hidden, self.luck)
        return self

    def act(self, seat=0):
        """To the action of a seat, without a mummy phase."""
        self.table.active = seat
        return self.run(Phase.ACT)

    def symbols(self, n, active=0):
        """The mummy phase with so many symbols rolled; stops at the first decision, at the latest the action."""
        self.table.active, self.table.symbols = active, n
        self.table.early = mummies.in_maze(self.table)
        self.table.stopped = self.table.beat = self.table.bonus = 0
        self.table.in_phase = 1
        return self.run(Phase.BEAT)

    def options(self):
        n = GAME.options(self.box, self.table, self.hidden, self.out)
        return [self.out[i] for i in range(n)]

    def told(self):
        words = GAME.load_words()
        return [words.option(self.box, self.table, self.hidden.own[self.table.seat], c) for c in self.options()]

    def take(self, code):
        assert code in self.options(), f"{code} is not offered: {self.told()}"
        GAME.take(self.box, self.table, self.hidden, self.luck, code)
        return self

    def go(self):
        """Take the only options until there is a choice, an action, or the end."""
        while self.table.ending < 0 and self.table.kind != Kind.ACTION and len(self.options()) == 1:
            self.take(self.options()[0])
        return self

    def can(self, what):
        """The arguments of the options of this kind at an action or a window."""
        return [c % ARGUMENTS for c in self.options() if c // ARGUMENTS == what]

    def do(self, what, argument=0):
        return self.take(what * ARGUMENTS + argument)

    def explore(self, q, row, card, *exits):
        """Explore without fuel or passages, with any turning unless one is named."""
        self.do(Verb.EXPLORE, hexagon(q, row))
        if self.table.kind == Kind.SIDES:
            self.take(6)
        return self.take(next(c for c in self.options() if c // 64 == card and (not exits or c % 64 == sides(*exits))))

    def placements(self, q, row):
        """The masks with which each card could be laid on a hex without a passage."""
        if hexagon(q, row) not in self.can(Verb.EXPLORE):
            return {}
        self.do(Verb.EXPLORE, hexagon(q, row))
        found = {}
        for c in self.options():
            found.setdefault(c // 64, set()).add(c % 64)
        self.act(self.table.active)
        self.table.kind = Kind.ACTION
        return found

    @property
    def row(self):
        rows = blank(GAME.row)
        GAME.outcome(self.box, self.table, rows[0])
        return dict(zip(GAME.columns, rows.view(np.ndarray).view(np.int64).tolist(), strict=True))
