"""What the tests of Trapwords share: tables laid out by hand, rounds with given results, the exact chain."""

from fractions import Fraction as F

from hardmode.scenarios.load import create_variant
from hardmode.sim.draws import LUCK, game_key, lucky
from hardmode.sim.games.trapwords import GAME
from hardmode.sim.games.trapwords.end_of_round import end_round
from hardmode.sim.games.trapwords.names import A, B, Cause
from hardmode.sim.games.trapwords.setup import setup
from hardmode.sim.games.trapwords.turn import result
from hardmode.sim.records import Cells, blank

ODDS = {"switches.turns": "odds"}


def box(setup=None, **rules):
    """A box with given odds (no library to make) unless the rules say otherwise; `__` stands for a dot."""
    named = {**ODDS, **{k.replace("__", "."): v for k, v in rules.items()}}
    return create_variant("trapwords", setup=setup or {}, rules=named).box


class Board:
    """A game laid out in plain Python, whose turns end as the test says; without the Forbidden Word."""

    def __init__(self, setup_=None, key=1, **rules):
        plain = {"switches__first_book": "team_a", "curse__forbidden_word__in_box": False}
        self.raw = box({"monster": "none", **(setup_ or {})}, **{**plain, **rules})
        self.box = self.raw.view(Cells)[0]
        self.deal(key)

    def deal(self, key):
        self.table, self.hidden, self.luck = blank(GAME.table)[0], blank(GAME.hidden)[0], blank(LUCK)[0]
        lucky(self.luck, game_key(key, 0))
        setup(self.box, self.table, self.hidden, self.luck)
        return self

    def round(self, results, cause=Cause.TRAP):
        """Play a round: "SF" is success of A, failure of B; the team that plays first is moved first."""
        firsts = [self.table.first, 1 - self.table.first]
        for team in firsts:
            how = Cause.SUCCESS if results[team] == "S" else cause
            result(self.box, self.table, self.hidden, self.luck, team, how)
            self.table.played += 1
        end_round(self.box, self.table, self.hidden, self.luck)
        return self

    @property
    def rooms(self):
        return tuple(self.box.rooms[self.table.position[t]] for t in (A, B))

    @property
    def monster(self):
        return self.box.rooms[self.table.monster_at]

    @property
    def curses(self):
        return [self.box.rooms[p] for p in range(self.box.n_rooms) for _ in range(self.table.lie[p])]

    @property
    def cursed(self):
        return "".join("AB"[t] for t in (A, B) if self.table.active[t])

    @property
    def facing(self):
        return "".join("AB"[t] for t in (A, B) if self.table.faces[t])


def solve(rooms, slots, odds, cursed, facing, rounds=8):
    """The game as a Markov chain, exactly: chances by (who won, round), and of a first meeting by (round, room).

    Written from the rules alone. `odds[team][room]` is the chance of success; curses are bits of rooms.
    """
    n = len(rooms)
    states = {(0, 0, n - 1, sum(1 << p for p in set(slots)), False): F(1)}
    ends, met = {}, {}
    for r in range(1, rounds + 1):
        following = {}
        for (a, b, m, mask, met_before), weight in states.items():
            stand, faces = (a, b), (a == m, b == m)
            p = [odds[t][rooms[stand[t]]] * (cursed if mask >> stand[t] & 1 else 1) * (facing if faces[t] else 1)
                 for t in (0, 1)]
            if any(faces) and not met_before:
                met[r, rooms[m]] = met.get((r, rooms[m]), 0) + weight
            for sa in (0, 1):
                for sb in (0, 1):
                    chance = weight * (p[0] if sa else 1 - p[0]) * (p[1] if sb else 1 - p[1])
                    if not chance:
                        continue
                    won = (faces[0] and sa) + 2 * (faces[1] and sb)
                    if won:
                        ends[won, r] = ends.get((won, r), 0) + chance
                        continue
                    state = (*after(stand, faces, m, mask, (sa, sb)), any(faces))
                    following[state] = following.get(state, 0) + chance
        states = following
    ends[0, rounds] = sum(states.values())
    return ends, met


def after(stand, faces, m, mask, success):
    mask &= ~(1 << stand[0]) & ~(1 << stand[1])
    moved = [stand[t] + (success[t] and not faces[t]) for t in (0, 1)]
    if tuple(moved) == stand and not any(faces):
        m -= 1
        if mask >> m & 1:  # the bit rule: the first empty place below the run of curses
            empty = m
            while mask >> empty & 1:
                empty -= 1
            assert empty >= 0, "a curse is pushed out of the dungeon"
            mask = mask & ~(1 << m) | 1 << empty
        assert m >= max(moved), "the monster passes the leader"
    assert not mask & (1 << max(moved)) - 1, "a curse behind the leader"
    return moved[0], moved[1], m, mask
