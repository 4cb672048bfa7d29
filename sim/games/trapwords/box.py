"""From the numbers of a scenario to the box record: switches, cards, quantiles, the library of scenes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from functools import cache
from statistics import NormalDist
from typing import Any

import numpy as np

import hardmode.sim.games.trapwords.names as n
from hardmode.sim.compile.array_cache import disk_cached
from hardmode.sim.contract import BadValue, Values
from hardmode.sim.games.trapwords.names import A, B
from hardmode.sim.games.trapwords.traps import RANKS, Minds, Taste, library, told
from hardmode.sim.messages import warn_once
from hardmode.sim.names import write_name

TEAMS = ("team_a", "team_b")
UNLIMITED = 999
CHOICES = {  # switches of several readings: field of the box, name in box.yaml, readings
    "first_book": ("first_book", n.FirstBook), "forbidden_word": ("forbidden_word", n.ForbiddenWord),
    "timer_start": ("timer_start", n.TimerStart),
}
SWITCHES: dict[str, tuple[str, Any, Any]] = {  # of yes or no: field of the box, name in box.yaml, its words for these
    "clear_room_last": ("discard", "discard_first", "clear_room_last"),
    "stay": ("pushed_out", "discard", "stay"),
    "reveal_late": ("reveal", "at_once", "next_round"),
    "sticky": ("sticky_curse", False, True),
    "per_team": ("both_cursed", "shared", "per_team"),
    "draw_each": ("monster_draw", "shared", "draw_each"),
    "no_curse": ("empty_pile", "reshuffle", "no_curse"),
    "redraw": ("forbidden_drawn", "discard", "redraw"),
    "frozen_monster": ("sent_back", "free", "frozen_monster"),
    "leader_wins": ("last_round", "monster_wins", "leader_wins"),
    "retroactive": ("doubtful_trap", "at_once", "retroactive"),
    "may_fail": ("deliberate_failure", False, True),
    "most_traps": ("trap_additions", "add", "max"),
    "add_up": ("two_cards", "multiply", "add_up"),
    "fastest": ("tiebreak", "none", "fastest"),
    "full": ("turns", "odds", "full"),
}
NEUTRAL = {"traps": 0, "share": 0.0, "timer": 1.0, "sand": 1e9, "clue_time": 1.0, "sentence": 1.0,
           "word_time": 1e9, "budget": UNLIMITED, "hold": 1, "freeze": 0, "invalid": 0.0, "success": 1.0, "back": 0,
           "curses": 0}
LEAVES = {"share": "trap_share", "back": "sends_back"}  # fields of an effect whose leaf has another name


def fill(box: Any, values: Values) -> None:
    for field, (switch, readings) in CHOICES.items():
        setattr(box, field, values.choice(f"switches.{switch}", readings.labels()))
    for field, (switch, no, yes) in SWITCHES.items():
        setattr(box, field, values.choice(f"switches.{switch}", (no, yes)))
    fill_dungeon(box, values)
    fill_teams(box, values)
    fill_cards(box, values)
    fill_turn(box, values)
    fill_odds(box, values)
    fill_library(box, values)


def fill_dungeon(box: Any, values: Values) -> None:
    laid = {name: values[f"dungeon.rooms.{name}"] for name in values.names("dungeon.rooms")}
    name = values["setup.rooms"]
    rooms = laid[name]
    path = f"dungeon.rooms.{name}"
    if not 2 <= len(rooms) <= n.MOST_ROOMS or any(a >= b for a, b in itertools.pairwise(rooms)):
        raise BadValue(path, f"is {rooms}; it must be two to {n.MOST_ROOMS} rising room numbers")
    sides = values["dungeon.tiles"]
    if len(sides) % 2:
        raise BadValue("dungeon.tiles", f"is {sides}; each tile has two sides")
    for pair in ({a, b} for a, b in zip(sides[::2], sides[1::2], strict=True)):
        if pair <= set(rooms):
            warn_once(f"{path}: rooms {min(pair)} and {max(pair)} are two sides of one tile")
    box.n_rooms, box.rounds = len(rooms), values["dungeon.rounds"]
    box.rooms[:len(rooms)] = rooms
    for room in curse_places(values, len(rooms)):
        box.slots[room] += 1
    box.monster = values.choice("setup.monster", ("any", *monsters(values))) - 1
    box.starred = values.choice("setup.starred", (*n.Deck.labels(), "any"))


def curse_places(values: Values, rooms: int) -> list[int]:
    """The rooms, counted from 0, that get a curse: never the monster's."""
    kind, own = values["setup.curses"], values["dungeon.own_curses"]
    stacked = values["switches.three_rooms"] == "stack"
    if kind == "own" and any(not 0 <= p < rooms - 1 for p in own):
        raise BadValue("dungeon.own_curses", f"is {own}; curses lie beside rooms 0 to {rooms - 2}, not the monster's")
    places = {"none": [], "two": [1, rooms - 2], "four": list(range(min(4, rooms - 1))), "own": own}[kind]
    if kind == "two" and rooms < 3:
        raise BadValue("setup.curses", "is two; that takes three rooms")
    if not stacked:
        places = sorted(set(places))
    present = sum(bool(values[f"curse.{name}.in_box"]) for name in curses(values))
    if len(places) > present:
        raise BadValue("setup.curses", f"needs {len(places)} curse cards; {present} are in the box")
    if any(places.count(p) > 3 for p in places):
        raise BadValue("dungeon.own_curses", "puts more than three curses beside one room")
    return places


def fill_teams(box: Any, values: Values) -> None:
    sizes, as_printed = [values[f"setup.{team}"] for team in TEAMS], values["switches.teams"] == "one_more"
    if values["setup.players"] != len(TEAMS):
        raise BadValue("setup.players", "must be 2: the seats are the two teams")
    if abs(sizes[A] - sizes[B]) > 1 and as_printed:
        raise BadValue("setup.team_b", f"is {sizes[B]} against {sizes[A]}: teams may differ by one player "
                       "(set switches.teams to any to try others)")
    for t, team in enumerate(TEAMS):
        guessers = sizes[t] - 1
        box.size[t] = sizes[t]
        box.kappa[t] = (values["turn.kappa"] * (1 + values["turn.rapport"]) * values[f"{team}.kappa"]
                        * (guessers / 2) ** values["turn.size_exponent"])
        box.guess_2[t] = chances(min(values["turn.second_guess_most"], values["turn.second_guess"] * guessers))
        box.handicap[t] = values[f"{team}.success"]


def fill_cards(box: Any, values: Values) -> None:
    styles = styles_of(values)
    for i, mean in enumerate(styles):
        box.words[i] = words_table(mean)
    neutral = {**NEUTRAL, "guesses": values["turn.guesses"], "style": len(styles) - 1}
    for i in range(n.CARDS):
        write_card(box.card[i], neutral)
    box.curses = 0
    for i, name in enumerate(curses(values)):
        write_name(box.curse_name[i], name.replace("_", " "))
        write_card(box.card[n.FIRST_CURSE + i], read_card(values, f"curse.{name}", neutral, styles))
        if values[f"curse.{name}.in_box"]:
            box.curses |= 1 << i
    box.new_monsters = len(monsters(values)) - len(n.Monster)
    for i, name in enumerate(monsters(values)):
        write_name(box.monster_name[i], name)
        for star, deck in enumerate(n.Deck.labels()):
            card = read_card(values, f"monster.{name}.{deck}", neutral, styles) if i != n.Monster.NONE else neutral
            write_card(box.card[n.FIRST_MONSTER + 2 * i + star], card)


def curses(values: Values) -> list[str]:
    """The curses of the box, and one's own."""
    return _at_most(values.names("curse"), n.CURSES, "curse")


def monsters(values: Values) -> list[str]:
    """The monsters of the box, one to experiment with, none, and one's own."""
    found = _at_most(values.names("monster"), n.MONSTERS - 1, "monster")
    return [*found[:n.Monster.NONE], n.Monster.NONE.label, *found[n.Monster.NONE:]]


def _at_most(names: list[str], most: int, part: str) -> list[str]:
    if len(names) > most:
        raise BadValue(part, f"has {len(names)} entries; there can be {most}")
    return names


def read_card(values: Values, path: str, neutral: dict[str, Any], styles: list[float]) -> dict[str, Any]:
    card = dict(neutral)
    for field in neutral:
        leaf = f"{path}.{LEAVES.get(field, field)}"
        if leaf in values:
            card[field] = values[leaf]
    if f"{path}.words_per_clue" in values:
        card["style"] = styles.index(values[f"{path}.words_per_clue"])
    card["guesses"] = min(card["guesses"], neutral["guesses"])  # so that a lone card is all that holds
    return card


def write_card(effect: Any, card: dict[str, Any]) -> None:
    for field, value in card.items():
        setattr(effect, field, value)


def usual(values: Values) -> dict[str, float]:
    """Content words a clue, by clue-giver."""
    plain = values["turn.words_per_clue"]
    return {**dict.fromkeys(n.Giver.labels(), plain), "terse": min(values["giver.terse"], plain),
            "chatty": max(values["giver.chatty"], plain)}


def styles_of(values: Values) -> list[float]:
    """The different numbers of content words per clue that somebody speaks, fewest first."""
    said = set(usual(values).values())
    for name in monsters(values):
        for deck in n.Deck.labels():
            path = f"monster.{name}.{deck}.words_per_clue"
            if path in values:
                said.add(values[path])
    return sorted(said)


def words_table(mean: float) -> np.ndarray:
    """Quantiles of the number of content words of a clue: one, and as many more as a Poisson law says."""
    more = mean - 1
    law = [math.exp(k * math.log(more) - more - math.lgamma(k + 1)) if more > 0 else float(k == 0)
           for k in range(n.MOST_WORDS)]
    return np.minimum(1 + np.searchsorted(np.cumsum(law), middles(n.COARSE)), n.MOST_WORDS).astype(np.int8)


def chances(p: float) -> int:
    return round(p * n.CHANCES)


def middles(many: int) -> np.ndarray:
    return (np.arange(many) + 0.5) / many


def lognormal(many: int, spread: float) -> np.ndarray:
    """Quantiles of a factor with mean 1."""
    return np.exp(spread * _normal(many) - spread**2 / 2)


@cache
def _normal(many: int) -> np.ndarray:
    normal = NormalDist()
    return np.array([normal.inv_cdf(p) for p in middles(many)])


def fill_turn(box: Any, values: Values) -> None:
    box.fuse[:] = -np.log1p(-middles(n.FINE))  # an exponential law's quantiles
    box.quick[:] = 1 / -np.log1p(-middles(n.FINE))
    box.ease[:] = lognormal(n.FINE, values["turn.word_ease"])
    box.skill[:] = lognormal(n.SPREAD, values["turn.skill"])
    box.clock[:] = clock(values["turn.clue_shape"])
    box.insight[:] = (1 + np.arange(len(box.insight))) ** values["turn.theta"]
    box.weight[:] = (np.arange(len(box.weight)) / values["turn.usual_words"]) ** values["turn.word_exponent"]
    for field, leaf in {"timer": "timer", "reading": "reading", "word_time": "word_time", "invalid": "invalid",
                        "sentence": "sentence", "guess_time": "guess_time", "pause": "pause",
                        "between": "between_turns"}.items():
        setattr(box, field, values[f"turn.{leaf}"])
    box.slip = -math.log1p(-min(box.invalid, 1 - 1e-6))
    box.guess_1 = chances(values["turn.first_guess"])
    box.guesses, box.psi = values["turn.guesses"], values["giver.contrarian"]
    fill_manners(box, values)


@disk_cached("scipy")
def clock(shape: float) -> np.ndarray:
    """Quantiles of a gamma law with mean 1."""
    from scipy.special import gammaincinv

    return gammaincinv(shape, middles(n.COARSE)) / shape


def fill_manners(box: Any, values: Values) -> None:
    """How each clue-giver speaks; the adaptive one in two ways, the others in one."""
    styles, spoken = styles_of(values), usual(values)
    naive, cautious, oblique, blunt, aimless = ((words, values[f"giver.{name}.plan"]) for name, words in (
        ("naive", n.Filter.ANY), ("cautious", n.Filter.SHY), ("oblique", n.Filter.FAR), ("blunt", n.Filter.PLAIN),
        ("aimless", n.Filter.STRAY)))
    ways = {n.Giver.NAIVE: naive, n.Giver.CAUTIOUS: cautious, n.Giver.BLUNT: blunt, n.Giver.CHATTY: naive,
            n.Giver.AIMLESS: aimless, n.Giver.CURT: naive, n.Giver.TARDY: naive}
    for giver in n.Giver:
        manner, first = box.manner[giver], ways.get(giver, oblique)
        later = cautious if giver == n.Giver.ADAPTIVE else first
        manner.filter[:], manner.plan[:] = zip(first, later, strict=True)
        manner.until = values["giver.adaptive"] if giver == n.Giver.ADAPTIVE else 1.0
        manner.style = styles.index(spoken[giver.label])
        listens = giver in (n.Giver.PATIENT, n.Giver.TARDY)
        manner.hold = values[f"giver.{giver.label}"] if listens else 1
        manner.budget = values["giver.curt"] if giver == n.Giver.CURT else UNLIMITED
        manner.sentence = values["giver.aimless.sentence"] if giver == n.Giver.AIMLESS else 1.0


def fill_odds(box: Any, values: Values) -> None:
    for t, team in enumerate(TEAMS):
        odds = values[f"odds.{team}"]
        if len(odds) != box.odds.shape[1] - 1:
            raise BadValue(f"odds.{team}", f"holds {len(odds)} chances; one for each of the rooms 1 to 10 is needed")
        box.odds[t, 1:] = odds
    box.odds_cursed = values["odds.cursed"]
    box.odds_monster[:] = [values["odds.monster"], values["odds.starred"]]
    if box.monster == n.Monster.NONE:
        box.odds_monster[:] = 1.0


def fill_library(box: Any, values: Values) -> None:
    """The scenes of every list length that this box can bring about."""
    box.scenes = values["model.scenes"]
    tastes, notice = tastes_of(values), values["turn.notice"]
    lengths = lengths_of(box) if box.full else []
    box.shelf[lengths] = range(len(lengths))
    box.part[B] = box.size[A] != box.size[B]  # equal teams trap alike
    for team in range(1 + box.part[B]):
        minds = minds_of(values, values[f"setup.{TEAMS[team]}"])
        if lengths:
            shelve(box.hazard[team, :len(lengths)], library(minds, tastes, tuple(lengths), notice))
            shelve(box.worth[:len(lengths)], told(minds, tastes, tuple(lengths)))


def shelve(shelves: np.ndarray, found: np.ndarray) -> None:
    """Put scenes on their shelves, which may be longer."""
    shelves[..., :found.shape[-1]] = found


def tastes_of(values: Values) -> tuple[Taste, ...]:
    """How clue-givers choose words, in the order of the library's filters."""
    shy = [Taste(values[f"giver.{name}.least"], values[f"giver.{name}.extra"], 1 - values[f"giver.{name}.control"], 1.0)
           for name in ("cautious", "oblique")]
    blunt = Taste(values["giver.blunt.reach"], -RANKS, 1.0, 1 - values["giver.blunt.control"])
    tastes = (Taste(0, 0, 1.0, 1.0), *shy, blunt, Taste(0, 0, 1.0, 1.0, any_rank=True))
    assert len(tastes) == len(n.Filter)
    return tastes


def minds_of(values: Values, trappers: int) -> Minds:
    exponent, offset, flatten = (tuple(values[f"words.{leaf}"]) for leaf in ("exponent", "offset", "flatten"))
    shares = {name: tuple(values[f"words.share.{name}"]) for name in values.names("words.share")}
    genre = values["setup.genre"]
    if len({len(column) for column in (exponent, offset, flatten, shares[genre])}) != 1:
        raise BadValue(f"words.share.{genre}", "and the lists under words must be equally long: one entry a class")
    if not math.fsum(shares[genre]) > 0:
        raise BadValue(f"words.share.{genre}", "must leave some class of words")
    tell = {leaf: values[f"words.{leaf}"] for leaf in ("tell_least", "tell_scale", "tell_offset", "own_mind")}
    habits = {leaf: values[f"trappers.{leaf}"] for leaf in (
        "samples", "familiar", "personal", "expect_extra", "expect_control")}
    return Minds(scenes=values["model.scenes"], exponent=exponent, offset=offset, flatten=flatten,
                 share=shares[genre], trappers=trappers, family=values["turn.family"], **tell, **habits)


def lengths_of(box: Any) -> list[int]:
    """How long a list can become: by room, by the curses at work together, by the monster's card.

    The monster pushes curses before it, so both meet only where it draws them or they cannot be pushed out.
    """
    found: set[int] = set()
    for room in (int(r) for r in box.rooms[:box.n_rooms]):
        curses = {0}
        for i in range(n.CURSES):
            if box.curses >> i & 1:
                curses |= set(combined(box, curses, longer(box.card[n.FIRST_CURSE + i], room)))
        found |= {room + more for more in curses}
        for card in monsters_of(box):
            both = curses if card.curses or box.stay else {0}
            found |= {room + more for more in combined(box, both, longer(card, room))}
    return sorted({min(n.MOST_TRAPS, length) for length in found})


def monsters_of(box: Any) -> list[Any]:
    """The monster cards that can turn up."""
    own = range(n.Monster.NONE + 1, n.Monster.NONE + 1 + box.new_monsters)
    names = [*range(n.IN_BOX), *own] if box.monster == n.ANY_MONSTER else [box.monster]
    stars = tuple(n.Deck) if box.starred == n.ANY_DECK else [box.starred]
    return [box.card[n.FIRST_MONSTER + 2 * name + star] for name in names for star in stars]


def longer(card: Any, room: int) -> int:
    return int(card.traps) + int(card.share * room)


def combined(box: Any, have: set[int], more: int) -> Iterable[int]:
    return (max(h, more) if box.most_traps else h + more for h in have)
