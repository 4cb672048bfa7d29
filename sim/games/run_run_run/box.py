"""Reads the box: components, dice, cards and rule switches, as the rules want them."""

from __future__ import annotations

from typing import Any

import hardmode.sim.games.run_run_run.switches as switches
from hardmode.sim.contract import BadValue, Values
from hardmode.sim.games.run_run_run.names import (
    BOSSES,
    CARDS,
    CHOSEN,
    DRAWN,
    FACES,
    SEATS,
    TOKENS,
    Face,
    Hero,
    Mark,
    Token,
)
from hardmode.sim.names import write_name

# The ways in which corridors can leave a Room, up to its turning; side 0 first. By number of exits.
PATTERNS = (
    ("100000",), ("110000", "101000", "100100"), ("111000", "110100", "101100", "101010"),
    ("111100", "111010", "110110"), ("111110",), ("111111",),
)
VAULT_EXITS = {1: 0b000001, 2: 0b001001, 3: 0b010101, 4: 0b011011, 5: 0b011111, 6: 0b111111}
ROWS = ("one", "two", "three", "four", "five", "six")

NUMBERS = {
    "torches": "torches.start", "bank": "torches.bank", "refill": "torches.refill",
    "power": "mummy_dice.power", "dice_cap": "mummy_dice.most", "combat_cap": "combat_dice.most",
    "base_move": "movement.base", "wake_hearts": "awakening.hearts",
    "doors": "mechanisms.doors", "torch_tokens": "mechanisms.torch_tokens",
    "regroups": "cooperate.tiles", "coop_cards": "cooperate.cards", "coop_per_torch": "cooperate.per_torch",
    "coop_offer": "cooperate.offer", "door_exits": "maze.exit_door_exits", "max_turns": "limits.turns",
    "end_draw": "switches.end_draw",
}

BY_LANGUAGE = "by_language"


def fill(box: Any, values: Values) -> None:
    """Write the box record from the numbers of a scenario."""
    fill_setup(box, values)
    for name, path in NUMBERS.items():
        setattr(box, name, values[path])
    fill_switches(box, values)
    fill_dice(box, values)
    fill_monsters(box, values)
    fill_rooms(box, values)
    fill_tokens(box, values)
    box.vault_exits = VAULT_EXITS[values["maze.vault_exits"]]
    if box.torches > box.bank:
        raise BadValue("torches.start", f"is {box.torches}, more than the {box.bank} torches of torches.bank")


def fill_setup(box: Any, values: Values) -> None:
    box.players = values["setup.players"]
    bosses = values.names("bosses")
    if not 1 <= len(bosses) <= BOSSES:
        raise BadValue("bosses", f"has {len(bosses)} entries; there must be 1 to {BOSSES}")
    box.bosses, box.boss = len(bosses), values.choice("setup.boss", ("any", *bosses)) - 1
    for row, name in zip(box.boss_name, bosses, strict=False):
        write_name(row, name)
    heroes = values["setup.heroes"]
    named = [h for h in heroes if h in Hero.labels()]
    if len(heroes) > SEATS:
        raise BadValue("setup.heroes", f"names {len(heroes)} heroes; there are {SEATS}")
    if len(set(named)) < len(named):
        raise BadValue("setup.heroes", "names a hero twice; each has one tile")
    if len(heroes) > box.players and "any" not in heroes:
        raise BadValue("setup.heroes", f"names {len(heroes)} heroes for {box.players} players")
    for s in range(SEATS):
        name = heroes[s] if s < len(heroes) else "any"
        box.hero[s] = {"any": DRAWN, "chosen": CHOSEN}.get(name) or Hero.labels().index(name)
    by_players = values["hand.by_players"]
    start, sizes = values["hand.start"], values["hand.sizes"]
    if len(sizes) != SEATS:
        raise BadValue("hand.sizes", f"holds {len(sizes)} numbers; one for each number of players, 1 to {SEATS}")
    box.hand = sizes[box.players - 1] if by_players else start


def fill_switches(box: Any, values: Values) -> None:
    """The switches set by hand, and those that the language of the rulebook decides."""
    for name in switches.PLAIN:
        setattr(box, name, int(values["switches." + name]))
    for name, readings in switches.NAMED.items():
        setattr(box, name, values.choice("switches." + name, readings.labels()))
    language = values.choice("switches.rules_language", switches.Language.labels())
    for name, by_language in switches.BY_LANGUAGE.items():
        readings = type(by_language[0])
        chosen = values.choice("switches." + name, (BY_LANGUAGE, *readings.labels()))
        setattr(box, name, by_language[language] if chosen == 0 else chosen - 1)


def fill_dice(box: Any, values: Values) -> None:
    faces = values["mummy_dice.faces"]
    combat = values["combat_dice.faces"]
    for path, die in (("mummy_dice.faces", faces), ("combat_dice.faces", combat)):
        if not 1 <= len(die) <= FACES:
            raise BadValue(path, f"has {len(die)} faces; a die has 1 to {FACES}")
    box.mummy_faces, box.combat_faces = len(faces), len(combat)
    for i, symbols in enumerate(faces):
        box.mummy_die[i] = symbols
    for i, face in enumerate(combat):
        box.combat_die[i] = Face.labels().index(face)
    box.mean_symbols = sum(faces) / len(faces)
    box.mean_hits = combat.count(Face.HIT.label) / len(combat)


def fill_monsters(box: Any, values: Values) -> None:
    mummies = values.names("mummies")
    for row, name in zip(box.mummy_name, mummies, strict=True):
        write_name(row, name)
    paths = [f"mummies.{m}" for m in mummies] + [f"bosses.{b}" for b in values.names("bosses")]
    for i, path in enumerate(paths):
        box.hp[i] = values[path + ".hp"]
        box.damage[i] = values[path + ".damage"]
        box.dice[i] = values[path + ".extra_dice"]
        box.steps[i] = values[path + ".extra_steps"]
        if i < len(mummies):
            box.snuffs[i] = values[path + ".snuffs"]
        else:
            box.suppresses[i] = int(values[path + ".suppresses"])


def fill_rooms(box: Any, values: Values) -> None:
    """The Rooms: corridors by number of exits, spread evenly over the patterns; then what they bear."""
    counts = values["rooms.exits"]
    box.symbols, box.sarcophagi = values["rooms.symbols"], values["rooms.sarcophagi"]
    box.lit_rooms = values["rooms.printed_torches"]
    box.cards = sum(counts)
    if len(counts) != len(PATTERNS):
        raise BadValue("rooms.exits", f"holds {len(counts)} numbers; one for each number of exits, 1 to 6")
    if not box.hand * box.players < box.cards <= CARDS:
        raise BadValue("rooms.exits", f"makes {box.cards} Rooms; there can be {CARDS}, and more than are dealt")
    if box.sarcophagi + 3 * box.symbols > box.cards:
        raise BadValue("rooms.symbols", f"and rooms.sarcophagi ask for {box.sarcophagi + 3 * box.symbols} "
                       f"of {box.cards} Rooms")
    if box.lit_rooms > box.cards:
        raise BadValue("rooms.printed_torches", f"is {box.lit_rooms} of {box.cards} Rooms")
    fill_corridors(box, counts)
    rows = [values[f"rooms.listing.{row}"] for row in ROWS]
    drawn = values.choice("rooms.features", ("listed", "drawn"))
    for row, listed in zip(ROWS, rows, strict=True):
        if len(listed) != len(Mark):
            raise BadValue(f"rooms.listing.{row}",
                           f"holds {len(listed)} numbers; one each for {', '.join(Mark.labels())}")
    box.drawn_features = int(drawn or not is_listed(box, counts, rows))
    if not box.drawn_features:
        fill_features(box, [mark for listed in rows for mark in deal_marks(listed)])


def is_listed(box: Any, counts: list[int], rows: list[list[int]]) -> bool:
    """The listing fits the numbers of exits, symbols and sarcophagi; else features are drawn for each game."""
    totals = [sum(column) for column in zip(*rows, strict=True)]
    return [sum(row) for row in rows] == counts and totals[:4] == [box.sarcophagi] + [box.symbols] * 3


def fill_corridors(box: Any, counts: list[int]) -> None:
    card, first = 0, 0
    for exits, (count, patterns) in enumerate(zip(counts, PATTERNS, strict=True), 1):
        for i in range(count):
            k = (2 * i + 1) * len(patterns) // (2 * count)
            masks = sorted({turned(patterns[k], turn) for turn in range(6)})
            box.exits[card], box.pattern[card], box.turns[card] = exits, first + k, len(masks)
            for j, mask in enumerate(masks):
                box.turned[card, j] = mask
            box.shapes[card] = sum(1 << mask - 1 for mask in masks)
            card += 1
        first += len(patterns)


def turned(pattern: str, turn: int) -> int:
    """The mask of a pattern turned so many sides on."""
    return sum(1 << (side + turn) % 6 for side in range(6) if pattern[side] == "1")


def deal_marks(listed: list[int]) -> list[int]:
    """The marks of a row's cards: one of each kind in turn, while there are some left."""
    left, out = list(listed), []
    while any(left):
        for mark, n in enumerate(left):
            if n:
                left[mark] -= 1
                out.append(mark)
    return out


def fill_features(box: Any, marks: list[int]) -> None:
    """The marks as listed, and the printed torches spread evenly over the cards sorted by mark."""
    for card, mark in enumerate(marks):
        box.mark[card] = mark
    n = len(marks)
    for j, card in enumerate(sorted(range(n), key=lambda c: marks[c])):
        box.lit[card] = box.lit_rooms * (j + 1) // n > box.lit_rooms * j // n
    assert max(marks) <= Mark.PLAIN


def fill_tokens(box: Any, values: Values) -> None:
    tokens = [(kind, value) for kind in ("torches", "rooms") for value in values["tokens." + kind]]
    tokens += [(kind, 0) for kind in Token.labels()[2:] for _ in range(values["tokens." + kind])]
    if len(tokens) > TOKENS:
        raise BadValue("tokens.trap", f"and the others make {len(tokens)} tokens; there can be {TOKENS}")
    box.tokens = len(tokens)
    for i, (kind, value) in enumerate(tokens):
        box.token_kind[i], box.token_value[i] = Token.labels().index(kind), value
