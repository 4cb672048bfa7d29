"""What every game must hold to, whatever it is: the contract, checked by playing.

A game that is added is tested here without a word; its own invariants join in from
tests/games/<game>/invariants.py, a function `check(box, table, hidden)`.
"""

import json

import numpy as np
import pytest
from playing import answer, engine, play
from variants import named, variants
from walking import Walk, check_row, shared

from hardmode.scenarios.variant import game_of
from hardmode.sim import contract, discovery, replay
from hardmode.sim.contract import CAP, ROUNDS, WINNERS
from hardmode.sim.draws import BITS, DECISION, LOG_CAPACITY, UNIT, below
from hardmode.sim.engine import Desk, Player, columns
from hardmode.sim.kernel import REAL
from hardmode.sim.records import readable
from hardmode.strategies import registry

GAMES = discovery.games()
EVERY = pytest.mark.parametrize("name", GAMES)
SEED = 20261118

RANDOM_GAMES = 2000  # of each game, with bounds checks, over its variants


def strategies(name):
    """Every strategy of a game once, under one of its names."""
    found = {}
    for known in registry.names(name):
        made = registry.player(name, known)
        if not made.budget:
            found.setdefault((made.choose, made.weights), made)
    return list(found.values())


# -- declared ---------------------------------------------------------------------------------------


@EVERY
def test_what_is_declared_fits_together(name):
    game = contract.game(name)
    assert game.name == name and game.version >= 1 and game.title
    assert list(game.table.names[:5]) == [n for n, _ in contract.TABLE_HEAD]
    for dtype in (game.box, game.table, game.hidden, game.own):
        signed(dtype)
    assert game.hidden["own"].shape == (game.seats,) and game.hidden["own"].base == game.own
    assert len(set(game.all_endings)) == len(game.all_endings) and CAP not in game.endings
    assert len(set(game.columns)) == len(game.columns)
    assert all(len(s.address) == 3 for s in game.sources)
    assert len({s.name for s in game.sources}) == len(game.sources)
    assert {"beginner", "steady", "random", "search"} <= set(registry.names(name))
    assert all(m.labels for m in game_of(name).measures if m.factor), "a factor names its values"
    for word in ("option", "state", "face", "tell", "picture"):
        assert callable(getattr(game.tell(), word))


def signed(dtype):
    for field in dtype.names:
        inner = dtype[field].base
        if inner.names:
            signed(inner)
        else:
            assert inner.kind in "if", f"{field} is {inner}: unsigned fields turn sums into fractions"


@EVERY
def test_there_are_several_variants_to_test_in(name):
    found = variants(name)
    assert len(found) >= 2 and len({v.box.tobytes() for v in found}) >= 2


# -- thousands of random games with bounds checks ---------------------------------------------------


def fussy(box, table, own, options, n, luck, weights):
    """Any legal option, where all are different."""
    for i in range(n):
        for j in range(i):
            if options[i] == options[j]:
                raise ValueError("an option is listed twice")
    return below(luck, 0, 0, 0, 0, n)


BOUNDED = """
import json
import numpy as np
import test_conformance as t
print(json.dumps(t.random_games({name!r}, {games})))
"""


def random_games(name, games):
    """Endings and longest games of random play in every variant; anything wrong is raised."""
    game, told = contract.game(name), []
    for v in variants(name):
        made = engine(name, v.box, Player("fussy", fussy, (), 0, "tests/test_conformance.py"))
        desk = Desk(game)
        for first in range(0, games // len(variants(name)), 50):
            out = columns(game, 50)
            made.play(desk, SEED, first, first + 50, out, log=True)
            seats = int(readable(desk.tables, REAL).seats)  # a player alone may lead two
            for row in np.asarray(out).T:
                check_row(game, row.astype(np.int64), seats)
                told.append(int(row[0]))
    return [told.count(i) for i in range(len(game.all_endings))]


@EVERY
def test_random_games_end_and_stay_within_bounds(name):
    """Every list has an option, no option twice, nothing is read out of bounds, and no game needs the cap."""
    endings = answer(BOUNDED.format(name=name, games=RANDOM_GAMES), NUMBA_BOUNDSCHECK="1", timeout=900)
    assert endings[-1] == 0, f"{endings[-1]} of {sum(endings)} random games reached the cap"
    assert sum(endings) >= RANDOM_GAMES * 0.8


# -- the same games compiled and plain, logged and not ----------------------------------------------


SAMPLE = """
import json
import test_conformance as t
print(json.dumps(t.sample({name!r})))
"""


def sample(name):
    """Rows of a few games of every variant, by random and by steady players."""
    return [[play(engine(name, v.box, who), 2, seed=SEED).tolist() for who in ("random", "steady")]
            for v in variants(name)]


@EVERY
def test_compiled_games_are_the_plain_ones_bit_for_bit(name):
    plain = answer(SAMPLE.format(name=name), NUMBA_DISABLE_JIT="1", timeout=900)
    assert plain == sample(name)


@EVERY
def test_the_log_changes_no_game(name):
    for v in variants(name):
        made = engine(name, v.box)
        assert (play(made, 50, seed=SEED) == play(made, 50, seed=SEED, log=True)).all(), named(v)


@EVERY
def test_no_two_draws_of_a_game_share_an_address(name):
    """And no game of a strategy that plays well overflows the log."""
    game = contract.game(name)
    for v in variants(name):
        for who in ("random", "steady"):
            made, desk, out = engine(name, v.box, who), Desk(game), columns(game, 1)
            for number in range(10):
                made.play(desk, SEED, number, number + 1, out, log=True)
                luck = desk.lucks.view(np.ndarray)
                assert luck["log_n"][REAL] <= LOG_CAPACITY, "the log overflows"
                whole = replay.logged(desk)
                log = whole[whole[:, 0] != DECISION]
                assert ((log[:, 0] >= 0) & (log[:, 0] < len(game.sources))).all()
                limit = np.select([log[:, 4] == BITS, log[:, 4] == UNIT], [(1 << 63) - 1, 1 << 53], log[:, 4])
                assert ((log[:, 5] >= 0) & (log[:, 5] < limit)).all()
                twice = [(game.sources[a[0]].name, a[1:]) for a in shared(whole)]
                assert not twice, f"{named(v)}, {who}, game {number}: drawn twice: {twice[:5]}"


# -- told -------------------------------------------------------------------------------------------


@EVERY
def test_a_game_is_told_the_same_twice_and_whole(name):
    game = contract.game(name)
    for v in (variants(name)[0], variants(name)[-1]):
        made = engine(name, v.box)
        story = replay.story(made, SEED, 3)
        told = story.to_list()
        assert json.loads(json.dumps(told)) == told == replay.story(made, SEED, 3).to_list()
        row = play(made, 1, seed=SEED, first=3)[:, 0]
        assert story.ending == game.all_endings[row[0]] and told[-1]["ending"] == story.ending
        assert told[-1]["rounds"] == row[ROUNDS]
        assert told[-1]["winners"] == [s + 1 for s in range(game.seats) if row[WINNERS] >> s & 1]
        for step in told[1:-1]:
            assert step["taken"] in step["options"] and step["forced"] == (len(step["options"]) == 1)
            assert distinct(step["options"]), f"two options read alike: {step['options']}"
            assert step["kind"] in game.kinds and 1 <= step["seat"] <= game.seats
            assert set(step["state"]) == {"open", "hidden"}
        for step in told[:-1]:
            for draw in step["draws"]:
                assert draw["source"] in [s.name for s in game.sources] and draw["result"] is not None
        assert all(isinstance(line, str) for line in replay.told(story, game.tell()))


def distinct(options):
    return len({json.dumps(o, sort_keys=True) for o in options}) == len(options)


# -- strategies -------------------------------------------------------------------------------------


@EVERY
def test_every_strategy_plays_legally_and_the_same_twice(name):
    for v in (variants(name)[0], variants(name)[-1]):
        for who in strategies(name):
            made = engine(name, v.box, who)
            assert (play(made, 8, seed=SEED) == play(made, 8, seed=SEED)).all(), who.name


@EVERY
def test_search_plays_every_game(name):
    v = variants(name)[0]
    rows = [play(engine(name, v.box, "search:2"), 1, seed=SEED) for _ in range(2)]
    assert (rows[0] == rows[1]).all()


# -- step by step in plain Python -------------------------------------------------------------------


@pytest.mark.plain
@EVERY
@pytest.mark.parametrize("who", ["random", "steady"])
def test_at_every_step_the_contract_holds(name, who):
    """Nothing is moved but by take(), and all that is shown is what the seat may know."""
    game = contract.game(name)
    for number, v in list(enumerate(variants(name)))[who == "steady"::2]:
        player = registry.player(name, who)
        walk = Walk(game, v.box, SEED, number)
        others = strategies(name)
        while walk.table.ending < 0 and walk.step < game.max_decisions:
            codes = walk.offered()
            i = 0
            if len(codes) > 1:
                i = walk.choice(player, len(codes))
                if walk.step % 7 == number % 7:
                    blind(walk, codes, others[walk.step % len(others)])
                    walk.offered()
            walk.take(i)
        assert not walk.shared(), "two draws share an address"
        assert walk.box_is_whole(), "somebody wrote to the box"
        assert walk.row() == play(engine(name, v.box, who), 1, seed=SEED, first=number)[:, 0].tolist()


def blind(walk, codes, player):
    """The seat sees the same options and chooses alike, however the rest was dealt; and the game can go on."""
    chosen = walk.choice(player, len(codes))
    for key in (1, 2):
        other = walk.redealt(key * 7919 + walk.step)
        assert other.offered() == codes, "the options tell what the seat cannot know"
        assert other.choice(player, len(codes)) == chosen, f"{player.name} sees what it may not"
        for _ in range(3):
            if other.table.ending >= 0:
                break
            other.offered()
            other.take(0)


@pytest.mark.plain
@EVERY
def test_redeals_differ_where_something_is_hidden(name):
    """Of a game that hides anything, some redeal is not the truth."""
    game = contract.game(name)
    if game.hidden.names == ("own",) and game.own.names == ("nothing",):
        return
    walk, player, seen = Walk(game, variants(name)[-1].box, SEED, 0), registry.player(name, "steady"), set()
    for _ in range(40):
        if walk.table.ending >= 0:
            break
        n = len(walk.offered())
        seen |= {walk.redealt(key).hiddens.tobytes() != walk.hiddens.tobytes() for key in (1, 2, 3)}
        walk.offered()
        walk.take(walk.choice(player, n) if n > 1 else 0)
    assert True in seen


@pytest.mark.plain
@EVERY
def test_readable_records_are_those_that_are_played(name):
    walk = Walk(contract.game(name), variants(name)[0].box, SEED, 0)
    for field in walk.game.table.names[:5]:
        assert getattr(readable(walk.tables), field) == getattr(walk.table, field) == walk.tables[field][0]
