"""Trapwords in words: options, positions and draws by name; the story and the picture are beside it."""

from __future__ import annotations

import math
from typing import Any

import hardmode.sim.games.trapwords.labels as labels
import hardmode.sim.games.trapwords.names as n
from hardmode.sim.draws import UNIT
from hardmode.sim.games.trapwords.clues import STEP
from hardmode.sim.games.trapwords.monster import monster_card
from hardmode.sim.games.trapwords.names import A, B
from hardmode.sim.games.trapwords.setup import which_monster
from hardmode.sim.games.trapwords.story import CLEARED_LAST, TALKING, many, picture, tell
from hardmode.sim.names import read_name

__all__ = ["face", "label", "option", "picture", "state", "tell"]


def label(box: Any, number: int) -> str:
    """A kind of option by name."""
    return labels.name(number)


def option(box: Any, table: Any, own: Any, code: int) -> dict[str, Any]:
    if table.kind == n.Kind.CLUES:
        return {"do": "fail on purpose"} if code == n.FAIL else {"do": "give clues", "how": n.Giver.labels()[code]}
    return {"do": "write the trap list", "how": n.Trapper.labels()[code], "words": table.length[1 - table.seat]}


def cards(box: Any, mask: int) -> list[str]:
    return [read_name(box.curse_name[i]) for i in range(n.CURSES) if mask >> i & 1]


def state(box: Any, table: Any, hidden: Any) -> dict[str, Any]:
    seen: dict[str, Any] = {
        "in round": table.round, "of rounds": box.rounds, "dungeon": [_room(box, table, p) for p in range(box.n_rooms)],
        "monster": {"name": read_name(box.monster_name[table.monster]), "starred": bool(table.starred),
                    "room": box.rooms[table.monster_at], "rule": monster_rule(box, table)},
        "glowing book goes to": n.TEAM_NAMES[table.glow], "plays first": n.TEAM_NAMES[table.first],
        "teams": {n.TEAM_NAMES[t]: _team(box, table, t) for t in (A, B)},
        "turns are decided by": TALKING if box.full else "the given odds",
        "discarded curses": cards(box, table.discard), "curses taken so far": table.taken,
    }
    if box.clear_room_last:
        seen[CLEARED_LAST] = True
    if table.ending < 0:
        what = "give clues" if table.kind == n.Kind.CLUES else "write the trap list"
        seen["to decide"] = {"team": n.TEAM_NAMES[table.seat], "what": what}
    unseen = {
        "curses beside rooms": {f"room {box.rooms[p]}": cards(box, hidden.beside[p]) for p in range(box.n_rooms)
                                if hidden.beside[p]},
        "curse pile": cards(box, hidden.pile),
        "trap lists": {n.TEAM_NAMES[t]: n.Trapper.labels()[hidden.own[t].list] for t in (A, B)
                       if table.kind == n.Kind.CLUES or t < table.seat},
        "skill": {n.TEAM_NAMES[t]: [round(hidden.skill[t, i], 3) for i in range(box.size[t])] for t in (A, B)},
    }
    return {"open": seen, "hidden": unseen}


def _room(box: Any, table: Any, p: int) -> dict[str, Any]:
    here = [n.TEAM_NAMES[t] for t in (A, B) if table.position[t] == p]
    up = cards(box, table.shown[p])
    room: dict[str, Any] = {"room": box.rooms[p], "here": here + ["the monster"] * (table.monster_at == p)}
    if table.lie[p]:
        room["curses"] = up + ["face down"] * (table.lie[p] - len(up))
    return room


def _team(box: Any, table: Any, t: int) -> dict[str, Any]:
    seen: dict[str, Any] = {
        "room": box.rooms[table.position[t]],
        "clue-giver": f"player {table.torch[t] + 1} of {box.size[t]}",
        "faces the monster": bool(table.faces[t]),
        "curses at work": cards(box, table.active[t] | table.drawn[t]),
        "cards change": _cards_change(box, table, t),
        "trap words against it": table.length[t],
        "has played": bool(table.played == 2 or (table.played == 1 and table.first == t)),
    }
    if table.cause[t] != n.NOBODY:
        seen["its last turn"] = {"ended by": n.Cause.labels()[table.cause[t]], "seconds": round(table.seconds[t], 1),
                                 "clues": table.clues[t], "wrong guesses": table.wrong[t],
                                 "a word hits a trap and is called": round(1 - math.exp(-table.hazard[t]), 4),
                                 "a word tells": round(table.worth[t], 4)}
    return seen


def monster_rule(box: Any, table: Any) -> str:
    if not box.full:
        return f"every chance times {box.odds_monster[table.starred]:g}"
    return rule_of(box, box.card[monster_card(table)])


def rule_of(box: Any, e: Any) -> str:
    """What a card does, from the numbers of the box."""
    effects = [(e.traps, many(e.traps, "more trap word")),
            (e.share, f"trap list longer by {e.share:g} times the room's number"),
            (e.curses, f"{many(e.curses, 'curse')} drawn for each round against it")]
    return _all(effects + _limits(box, e))


def _cards_change(box: Any, table: Any, t: int) -> str:
    """What all the cards at work on a team do together."""
    if not box.full:
        return "the odds"
    more = table.length[t] - box.rooms[table.position[t]]
    return _all([(more > 0, many(more, "more trap word")), *_limits(box, table.effect[t])])


def _all(effects: list[tuple[Any, str]]) -> str:
    return "; ".join(text for holds, text in effects if holds) or "none"


def _limits(box: Any, e: Any) -> list[tuple[Any, str]]:
    plain = box.card[n.NO_CARD]
    return [
        (e.guesses < plain.guesses, f"at most {many(e.guesses, 'guess')}"), (e.timer != 1, f"sand times {e.timer:g}"),
        (e.sand < plain.sand, f"at most {e.sand:g} s"),
        (e.clue_time != 1, f"a clue takes {e.clue_time:g} times as long"),
        (e.sentence < plain.sentence, "clues of nouns only tell less"),
        (e.budget < plain.budget, f"at most {many(e.budget, 'content word')}"),
        (e.hold > 1, f"no guess before {e.hold} clues"), (e.freeze, "no clue after the first guess"),
        (e.invalid > 0, f"each clue is invalid with chance {e.invalid:g}"),
        (e.success != 1, f"success times {e.success:g}"), (e.back, "may send the team back a room"),
    ]


def face(box: Any, where: int, a: int, b: int, c: int, outcomes: int, result: int) -> Any:
    if outcomes == UNIT:
        drawn = result / 2**53
        return drawn if where != n.Source.WHIM else "naive" if drawn < box.psi else "oblique"
    if where == n.Source.GLOW:
        return n.TEAM_NAMES[result]
    if where == n.Source.MONSTER_CARD:
        return n.Deck.labels()[result] if a else read_name(box.monster_name[which_monster(result)])
    if where == n.Source.CURSE_CARD:
        return f"card {result + 1} of the {outcomes} in the pile, in the order of the box"
    if where == n.Source.SKILL:
        return f"skill {box.skill[result]:.3f}"
    if where == n.Source.MIND:
        return n.Trapper.labels()[result]
    if where == n.Source.SET_BACK:
        return "the forbidden word" if result == 0 else "another word of the list"
    if where == n.Source.WORD:
        if c == 0:
            return f"scene {result * box.scenes // outcomes} of {box.scenes}"
        return (f"found at information {1 / box.quick[result]:.3f}", f"ease {box.ease[result]:.3f}",
                f"traps are met after {box.fuse[result]:.3f}")[c - 1]
    if where == n.Source.TALK and c % STEP < 2:
        words = box.words[box.manner[n.Giver.CAUTIOUS].style, result]
        return f"clue time {box.clock[result]:.3f}" if c % STEP else f"{words} content words (usual way of talking)"
    return result / outcomes
