"""Draws: known answers, pinned values, uniformity, independence, and what addresses promise.

The statistical tests run on fixed seeds, so they either always pass or always fail. They share a
family-wise error of 1e-4: were the draws ideal, a new scheme would fail any of them with that chance.
"""

import itertools
import math

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from hardmode.sim import draws
from hardmode.sim.compile.cache import compile_cached
from hardmode.sim.draws import GOLD, LUCK, SCHEME, bounded, game_key, lucky, mix64
from hardmode.sim.records import PLAIN, Cells, blank

FAMILY = 1e-4  # the chance that ideal draws fail any of the statistical tests
COMPARISONS = 300  # at least as many as there are
ALPHA = FAMILY / COMPARISONS

BOTH = pytest.mark.parametrize("way", ["compiled", pytest.param("plain", marks=pytest.mark.plain)])

MASK = (1 << 64) - 1
I8, U8, F8 = numba.int64, numba.uint64, numba.float64
LUCKS, CODES, WIDE = numba.from_dtype(LUCK)[::1], I8[::1], I8[:, ::1]


# -- the same functions, reached from Python ------------------------------------------------------


def _mixed(start, step, out):
    for i in range(out.shape[0]):
        out[i] = mix64(np.uint64(start) + np.uint64(i + 1) * np.uint64(step))


def _keys(seed, lo, out):
    for i in range(out.shape[0]):
        out[i] = game_key(seed, lo + i)


def _bits(lucks, addresses, out):
    for i in range(out.shape[0]):
        out[i] = draws.bits(lucks[0], addresses[i, 0], addresses[i, 1], addresses[i, 2], addresses[i, 3])


def _below(lucks, addresses, n, out):
    for i in range(out.shape[0]):
        out[i] = draws.below(lucks[0], addresses[i, 0], addresses[i, 1], addresses[i, 2], addresses[i, 3], n)


def _fraction(lucks, addresses, out):
    for i in range(out.shape[0]):
        out[i] = draws.fraction(lucks[0], addresses[i, 0], addresses[i, 1], addresses[i, 2], addresses[i, 3])


def _priority(lucks, addresses, out):
    for i in range(out.shape[0]):
        out[i] = draws.priority(lucks[0], addresses[i, 0], addresses[i, 1], addresses[i, 2], addresses[i, 3])


def _bounded(words, n, out):
    for i in range(out.shape[0]):
        out[i] = bounded(np.uint64(words[i]), n)


def _over_games(lucks, seed, lo, where, a, b, c, n, out):
    for i in range(out.shape[0]):
        lucky(lucks[0], game_key(seed, lo + i))
        out[i] = draws.below(lucks[0], where, a, b, c, n)


def _shuffled(lucks, seed, lo, where, cards, out):
    for i in range(out.shape[0]):
        lucky(lucks[0], game_key(seed, lo + i))
        for j in range(cards.shape[0]):
            out[i, j] = cards[j]
        draws.shuffle(lucks[0], where, 0, out[i], cards.shape[0])


SIGNS = {
    _mixed: (U8, U8, U8[::1]), _keys: (I8, I8, U8[::1]), _bits: (LUCKS, WIDE, U8[::1]),
    _below: (LUCKS, WIDE, I8, CODES), _fraction: (LUCKS, WIDE, F8[::1]), _priority: (LUCKS, WIDE, CODES),
    _bounded: (U8[::1], I8, CODES), _over_games: (LUCKS, *[I8] * 7, CODES),
    _shuffled: (LUCKS, I8, I8, I8, CODES, WIDE),
}
_made: dict = {}


def call(function, *args):
    if function not in _made:
        _made[function] = compile_cached(function, numba.void(*SIGNS[function]))
    _made[function](*args)
    return np.asarray(args[-1])


def cells(*shape, kind=np.int64):
    made = np.zeros(shape, kind)
    return made.view(Cells) if PLAIN else made


def luck(seed=1, game=0, redrawn=0, other=0, log=False, event=None):
    made = blank(LUCK)
    raw = made.view(np.ndarray)
    raw["key"], raw["redrawn"], raw["other"], raw["log_on"] = key_of(seed, game), redrawn, other, log
    raw["alone"], raw["event"] = event is not None, event or (0, 0, 0)
    return made


def grid(*addresses):
    return np.array(addresses, np.int64)


# -- an oracle in plain integers --------------------------------------------------------------------


def mix_of(x):
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & MASK
    return x ^ x >> 31


def key_of(seed, game):
    gold = int(GOLD)
    return mix_of(mix_of(seed + gold & MASK) + game * gold & MASK)


def bits_of(key, where, a, b, c):
    gold, low = int(GOLD), 0xFFFFFFFF
    head, tail = where << 32 | a & low, (b & low) << 32 | c & low
    return mix_of(mix_of(key + head * gold & MASK) + tail * gold & MASK)


def bounded_of(x, n):
    """Lemire's method as its paper writes it."""
    while True:
        product = (x >> 32) * n
        if product & 0xFFFFFFFF >= 2**32 % n:
            return product >> 32
        x = mix_of(x + int(GOLD) & MASK)


# -- known answers ----------------------------------------------------------------------------------


@BOTH
def test_the_mixer_gives_splitmix64s_published_answers(way):
    got = call(_mixed, 1234567, int(GOLD), cells(5, kind=np.uint64))
    assert [int(x) for x in got] == [6457827717110365317, 3203168211198807973, 9817491932198370423,
                                     4593380528125082431, 16408922859458223821]


@BOTH
def test_the_scheme_is_pinned(way):
    """Results of one scheme can be added and compared only while these values stand."""
    where = grid((0, 0, 0, 0), (1, 2, 3, 4), (7, -1, -2, -3), (3, 2**31, 2**32 - 1, 2**20))
    drawn = luck(20261118, 5)
    assert SCHEME == "splitmix-addressed-1"
    assert [int(x) for x in call(_keys, 20261118, 4, cells(2, kind=np.uint64))] == KEYS
    assert [int(x) for x in call(_bits, drawn, where, cells(4, kind=np.uint64))] == BITS
    assert [int(x) for x in call(_below, drawn, where, 6, cells(4))] == SIX
    assert [int(x) for x in call(_below, drawn, where, 1000, cells(4))] == THOUSAND
    assert [float(x) for x in call(_fraction, drawn, where, cells(4, kind=float))] == FRACTIONS
    assert [int(x) for x in call(_priority, drawn, where, cells(4))] == [b >> 1 for b in BITS]
    assert call(_shuffled, luck(), 20261118, 0, 2, np.arange(8), cells(2, 8)).tolist() == SHUFFLES


KEYS = [3900561566683988852, 16824834640535401523]
BITS = [7690795901894109721, 2237804961600864688, 17811766202616850848, 5048239717355596969]
SIX = [2, 0, 5, 1]
THOUSAND = [416, 121, 965, 273]
FRACTIONS = [0.4169188812488104, 0.12131165004832489, 0.9655777806340536, 0.2736656234392273]
SHUFFLES = [[2, 6, 1, 3, 0, 7, 5, 4], [3, 6, 7, 1, 4, 5, 0, 2]]

PARTS = st.integers(-(2**40), 2**40)


@BOTH
@given(seed=st.integers(0, 2**63 - 1), game=st.integers(0, 2**62), where=st.integers(0, 1000),
       a=PARTS, b=PARTS, c=PARTS, n=st.integers(1, 2**32))
def test_every_draw_is_the_oracles(way, seed, game, where, a, b, c, n):
    assert int(call(_keys, seed, game, cells(1, kind=np.uint64))[0]) == key_of(seed, game)
    address, x = grid((where, a, b, c)), bits_of(key_of(seed, game), where, a, b, c)
    assert int(call(_bits, luck(seed, game), address, cells(1, kind=np.uint64))[0]) == x
    assert int(call(_below, luck(seed, game), address, n, cells(1))[0]) == bounded_of(x, n) < n
    assert int(call(_priority, luck(seed, game), address, cells(1))[0]) == x >> 1
    fraction = float(call(_fraction, luck(seed, game), address, cells(1, kind=float))[0])
    assert fraction == (x >> 11) / 2**53 and 0 <= fraction < 1


def test_negative_and_large_parts_of_an_address_are_their_own():
    parts = [0, 1, -1, 2, -2, 2**16, 2**31 - 1, 2**31, 2**32 - 3, -(2**31) + 5]
    addresses = grid(*itertools.product([0, 1, 255, 2**20], parts, parts, parts))
    got = call(_bits, luck(), addresses, cells(len(addresses), kind=np.uint64))
    assert len(np.unique(got)) == len(addresses)


def test_no_two_games_share_a_key():
    keys = [call(_keys, seed, lo, cells(250_000, kind=np.uint64)) for seed, lo in
            [(1, 0), (1, 2**40), (2, 0), (2**63 - 1, 10**12)]]
    assert len(np.unique(np.concatenate(keys))) == 1_000_000


# -- no modulo bias ---------------------------------------------------------------------------------


def lemire(word, n, width):
    """What one word of a few bits gives, or None where it is rejected."""
    product = word * n
    return None if product % 2**width < 2**width % n else product >> width


@pytest.mark.parametrize("width", [3, 5, 8])
def test_the_method_is_exactly_uniform_where_all_words_can_be_tried(width):
    for n in range(1, 2**width + 1):
        got = [lemire(word, n, width) for word in range(2**width)]
        assert {got.count(v) for v in range(n)} == {2**width // n}
        assert got.count(None) == 2**width % n


@BOTH
def test_words_that_would_bias_are_rejected(way):
    """With three quarters of 2**32 numbers, every fourth word must be drawn again."""
    n = 3 << 30
    words = np.arange(0, 64, dtype=np.uint64) << np.uint64(32)
    rejected = [lemire(int(w >> np.uint64(32)), n, 32) is None for w in words]
    assert sum(rejected) == 16 and rejected[0]
    got = call(_bounded, words, n, cells(64))
    assert got.tolist() == [bounded_of(int(w), n) for w in words]
    naive = [(int(w) >> 32) * n >> 32 for w in words]
    assert [g == w for g, w in zip(got.tolist(), naive, strict=True)] == [not r for r in rejected]


def test_a_large_range_shows_no_bias():
    """Multiplying alone would give residue 0 of three half of the time; a modulo would favour low numbers."""
    n = 3 << 30
    got = call(_over_games, luck(), 3, 0, 1, 0, 0, 0, n, cells(200_000))
    assert uniform(got % 3, 3) > ALPHA
    assert uniform(got * 3 // n, 3) > ALPHA


@BOTH
def test_a_range_of_one_and_the_whole_range(way):
    words = np.array([0, 1, 2**63, MASK, 0xFFFFFFFF, 0xFFFFFFFF00000000], np.uint64)
    assert call(_bounded, words, 1, cells(6)).tolist() == [0] * 6
    assert call(_bounded, words, 2**32, cells(6)).tolist() == [int(w) >> 32 for w in words]


# -- uniform and independent --------------------------------------------------------------------------


def uniform(got, n):
    """The p-value of a chi-square test that all n values are alike."""
    return stats.chisquare(np.bincount(np.asarray(got), minlength=n)).pvalue


def unrelated(x, y, n):
    """The p-value of a chi-square test that the n * n pairs are alike."""
    return uniform(np.asarray(x) * n + np.asarray(y), n * n)


@pytest.mark.parametrize("n", [2, 3, 5, 6, 7, 8, 10, 12, 20, 52, 60, 100, 1000])
def test_numbers_are_uniform_over_games(n):
    assert uniform(call(_over_games, luck(), 11, 0, 3, 1, 2, 3, n, cells(100_000)), n) > ALPHA


@pytest.mark.parametrize("n", [2, 6, 20, 52])
@pytest.mark.parametrize("part", range(4))
def test_numbers_are_uniform_along_an_address(n, part):
    addresses = np.full((100_000, 4), 1, np.int64)
    addresses[:, part] = np.arange(100_000)
    assert uniform(call(_below, luck(12, 7), addresses, n, cells(100_000)), n) > ALPHA


STEPS = [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (0, 1, -1, 0), (0, 0, 1, -1), (1, -1, 0, 0)]


@pytest.mark.parametrize("n", [2, 6, 13])
@pytest.mark.parametrize("step", STEPS)
def test_neighbouring_addresses_of_one_game_are_independent(step, n):
    base = np.array(list(itertools.product(range(3, 7), *[range(3, 31)] * 3)), np.int64)
    here = call(_below, luck(13), base, n, cells(len(base)))
    there = call(_below, luck(13), base + np.array(step), n, cells(len(base)))
    assert unrelated(here, there, n) > ALPHA


@pytest.mark.parametrize("n", [2, 6, 13])
@pytest.mark.parametrize("one, other", [((1, 0), (1, 1)), ((1, 0), (1, 2)), ((1, 0), (1, 1000)),
                                        ((1, 0), (2, 0)), ((1, 0), (2, 1)), ((0, 0), (1 << 32, 0)),
                                        ((7, 0), (7, 1 << 32))])
def test_neighbouring_games_and_seeds_are_independent(one, other, n):
    x, y = (call(_over_games, luck(), seed, lo, 0, 0, 0, 0, n, cells(100_000)) for seed, lo in (one, other))
    assert unrelated(x, y, n) > ALPHA


def test_neighbours_are_uncorrelated():
    """Sums of 50 dice of a game against those of the games and seeds beside it."""
    def sums(seed, lo):
        return sum(call(_over_games, luck(), seed, lo, 0, i, 0, 0, 6, cells(50_000)) for i in range(50))

    here = sums(5, 0)
    for there in (sums(5, 1), sums(5, 64), sums(6, 0), sums(5 + (1 << 32), 0)):
        r = np.corrcoef(here, there)[0, 1]
        assert 2 * stats.norm.sf(abs(r) * math.sqrt(50_000)) > ALPHA


def test_one_changed_bit_changes_half_of_all_bits():
    """Of the seed, of the game, and of every part of the address."""
    flips, games = [], range(400)
    for game in games:
        key = key_of(99, game)
        base = bits_of(key, 5, 100, 200, 300)
        others = [bits_of(key_of(99 ^ 1 << b, game), 5, 100, 200, 300) for b in range(63)]
        others += [bits_of(key_of(99, game ^ 1 << b), 5, 100, 200, 300) for b in range(40)]
        others += [bits_of(key, 5 ^ 1 << b, 100, 200, 300) for b in range(8)]
        others += [bits_of(key, 5, 100 ^ 1 << b, 200, 300) for b in range(32)]
        others += [bits_of(key, 5, 100, 200 ^ 1 << b, 300) for b in range(32)]
        others += [bits_of(key, 5, 100, 200, 300 ^ 1 << b) for b in range(32)]
        flips.append([[(base ^ o) >> k & 1 for k in range(64)] for o in others])
    ones = np.sum(flips, axis=0)  # of each input bit and each output bit
    z = (ones - len(games) / 2) / math.sqrt(len(games) / 4)
    assert np.abs(z).max() < stats.norm.isf(ALPHA / 2 / z.size) + 0.5  # the half is the binomial's coarseness
    assert abs(ones.sum() / (ones.size * len(games)) - 0.5) < 5 / math.sqrt(4 * ones.size * len(games))


def test_fractions_and_priorities_are_uniform():
    addresses = np.array([(2, i, 0, 0) for i in range(100_000)])
    got = call(_fraction, luck(17), addresses, cells(len(addresses), kind=float))
    assert stats.kstest(got, "uniform").pvalue > ALPHA
    top = call(_priority, luck(17), addresses, cells(len(addresses))) / 2.0**63
    assert stats.kstest(top, "uniform").pvalue > ALPHA


# -- shuffled piles -----------------------------------------------------------------------------------


def test_all_orders_of_four_cards_are_alike():
    orders = {p: i for i, p in enumerate(itertools.permutations([3, 10, 11, 40]))}
    got = call(_shuffled, luck(), 21, 0, 4, np.array([3, 10, 11, 40]), cells(120_000, 4))
    assert uniform([orders[tuple(row)] for row in got.tolist()], 24) > ALPHA


@BOTH
def test_the_order_dealt_in_does_not_matter(way):
    a = call(_shuffled, luck(), 22, 0, 4, np.arange(30), cells(20, 30))
    b = call(_shuffled, luck(), 22, 0, 4, np.arange(30)[::-1].copy(), cells(20, 30))
    assert (a == b).all() and (np.sort(a, axis=1) == np.arange(30)).all()


@BOTH
def test_adding_or_removing_cards_leaves_the_order_of_the_others(way):
    whole = call(_shuffled, luck(), 23, 0, 4, np.arange(30), cells(20, 30))
    kept = np.array([c for c in range(30) if c % 3])
    part = call(_shuffled, luck(), 23, 0, 4, kept, cells(20, len(kept)))
    for row, short in zip(whole.tolist(), part.tolist(), strict=True):
        assert [c for c in row if c % 3] == short


def test_one_shuffle_tells_nothing_of_the_next():
    place = {}
    for n in (0, 1):
        pile = np.tile(np.arange(6), (20_000, 1))
        for g in range(20_000):
            priorities = [bits_of(key_of(24, g), 4, n, card, 0) >> 1 for card in range(6)]
            pile[g] = np.argsort(priorities)
        place[n] = pile[:, 0]
    assert unrelated(place[0], place[1], 6) > ALPHA


# -- what addresses promise ---------------------------------------------------------------------------


@BOTH
def test_a_draw_depends_on_its_address_alone(way):
    """However many other draws are made before it, in whatever order."""
    addresses = np.array([(w, a, b, 0) for w in range(3) for a in range(10) for b in range(4)])
    order = np.random.default_rng(1).permutation(len(addresses))
    straight = call(_below, luck(31), addresses, 6, cells(len(addresses)))
    mixed = call(_below, luck(31), addresses[order], 6, cells(len(addresses)))
    assert (straight[order] == mixed).all()
    extra = np.insert(addresses, slice(None, None, 7), (2, 77, 7, 7), axis=0)
    more = call(_below, luck(31), extra, 6, cells(len(extra)))
    assert (more[(extra != (2, 77, 7, 7)).any(axis=1)] == straight).all()


@BOTH
@pytest.mark.parametrize("sources", [(2,), (0, 3), (), (0, 1, 2, 3), (1, 62)])
def test_any_set_of_sources_can_be_drawn_again_alone(way, sources):
    addresses = np.array([(w, a, b, 0) for w in (0, 1, 2, 3, 62) for a in range(20) for b in range(20)])
    before = call(_below, luck(32), addresses, 1000, cells(len(addresses)))
    drawn = luck(32, redrawn=draws.mask_of(sources), other=key_of(32, 999))
    after = call(_below, drawn, addresses, 1000, cells(len(addresses)))
    others = call(_below, luck(32, 999), addresses, 1000, cells(len(addresses)))
    again = np.isin(addresses[:, 0], sources)
    assert (before[~again] == after[~again]).all()
    assert (after[again] == others[again]).all() and (before[again] != after[again]).sum() >= 0.99 * again.sum()


@BOTH
def test_one_event_can_be_drawn_again_alone(way):
    addresses = np.array([(w, a, b, c) for w in range(3) for a in (-1, 0, 5) for b in range(4) for c in range(4)])
    before = call(_below, luck(32), addresses, 1000, cells(len(addresses)))
    drawn = luck(32, redrawn=draws.mask_of([2]), other=key_of(32, 999), event=(-1, 3, 1))
    after = call(_below, drawn, addresses, 1000, cells(len(addresses)))
    assert addresses[before != after].tolist() == [[2, -1, 3, 1]]


def test_only_what_the_mask_can_hold_is_drawn_again():
    assert draws.mask_of([0, 5, draws.COINS]) == 1 | 1 << 5 | 1 << 63
    for wrong in (-1, 64):
        with pytest.raises(ValueError, match="cannot be resampled by itself"):
            draws.mask_of([wrong])


@BOTH
def test_the_log_tells_every_draw_and_changes_none(way):
    addresses = np.array([(1, a, -a, 7) for a in range(50)])
    silent, logged = luck(33), luck(33, log=True)
    got = call(_below, silent, addresses, 6, cells(50))
    same = call(_below, logged, addresses, 6, cells(50))
    log = logged.view(np.ndarray)["log"][0, :50]
    assert (got == same).all() and int(silent.view(np.ndarray)["log_n"][0]) == 0
    assert (log == np.column_stack([addresses, np.full(50, 6), got])).all()


@BOTH
def test_a_full_log_counts_on_and_writes_nowhere_else(way):
    full = luck(34, log=True)
    full.view(np.ndarray)["log_n"] = draws.LOG_CAPACITY - 2
    call(_below, full, grid(*[(1, a, 0, 0) for a in range(5)]), 6, cells(5))
    raw = full.view(np.ndarray)
    assert int(raw["log_n"][0]) == draws.LOG_CAPACITY + 3
    assert raw["log"][0, -2:, 1].tolist() == [0, 1] and int(raw["key"][0]) == key_of(34, 0)
