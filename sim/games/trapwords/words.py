"""Trapwords in words: positions, options and draws by name, and the story of a game."""

from __future__ import annotations

import math
from typing import Any

from hardmode.sim.draws import UNIT
from hardmode.sim.games.trapwords.tables import (
    CAUSES,
    CAUTIOUS,
    CLUES,
    CURSE_CARD,
    CURSES,
    FAIL,
    FIRST_MONSTER,
    GIVERS,
    GLOW,
    MIND,
    MONSTER_CARD,
    MONSTERS,
    NOBODY,
    SET_BACK,
    SKILL,
    TALK,
    TRAPPERS,
    WHIM,
    WORD,
    A,
    B,
)
from hardmode.sim.games.trapwords.turn import STEP

TEAM_NAMES = ("team A", "team B")
TALKING = "clues and guesses"
WHY = ("the word is found", "a trap", "an invalid clue", "too many wrong guesses", "the sand has run out",
       "it is not to be", "on purpose")
SPEAK = ("says what comes to mind", "avoids the obvious", "goes a long way round", "goes round first, plainer later",
         "goes a long way round in few words", "is naive or goes round, by whim", "is heard out before anybody guesses",
         "says just the plainest words", "says all that comes to mind", "says whatever has to do with it",
         "says one word and no more", "talks on while nobody guesses", "fails on purpose")
FILL = ("the most obvious words", "skipping the two most obvious words", "expecting the obvious to be avoided",
        "half obvious, half further off", "at random from all that came up", "obvious for this very clue-giver",
        "what this very clue-giver will avoid and say", "any words that have to do with it", "one idea, over and over")


def option(box: Any, table: Any, own: Any, code: int) -> dict[str, Any]:
    if table.kind == CLUES:
        return {"do": "fail on purpose"} if code == FAIL else {"do": "give clues", "how": GIVERS[code]}
    return {"do": "write the trap list", "how": TRAPPERS[code], "words": table.length[1 - table.seat]}


def cards(mask: int) -> list[str]:
    return [name.replace("_", " ") for i, name in enumerate(CURSES) if mask >> i & 1]


def state(box: Any, table: Any, hidden: Any) -> dict[str, Any]:
    seen: dict[str, Any] = {
        "in round": table.round, "of rounds": box.rounds, "dungeon": [_room(box, table, p) for p in range(box.n_rooms)],
        "monster": {"name": MONSTERS[table.monster], "starred": bool(table.starred),
                    "room": box.rooms[table.monster_at], "rule": monster_rule(box, table)},
        "glowing book goes to": TEAM_NAMES[table.glow], "plays first": TEAM_NAMES[table.first],
        "teams": {TEAM_NAMES[t]: _team(box, table, t) for t in (A, B)},
        "turns are decided by": TALKING if box.full else "the given odds",
        "discarded curses": cards(table.discard), "curses taken so far": table.taken,
    }
    if table.ending < 0:
        what = "give clues" if table.kind == CLUES else "write the trap list"
        seen["to decide"] = {"team": TEAM_NAMES[table.seat], "what": what}
    unseen = {
        "curses beside rooms": {f"room {box.rooms[p]}": cards(hidden.beside[p]) for p in range(box.n_rooms)
                                if hidden.beside[p]},
        "curse pile": cards(hidden.pile),
        "trap lists": {TEAM_NAMES[t]: TRAPPERS[hidden.own[t].list] for t in (A, B)
                       if table.kind == CLUES or t < table.seat},
        "skill": {TEAM_NAMES[t]: [round(hidden.skill[t, i], 3) for i in range(box.size[t])] for t in (A, B)},
    }
    return {"open": seen, "hidden": unseen}


def _room(box: Any, table: Any, p: int) -> dict[str, Any]:
    here = [TEAM_NAMES[t] for t in (A, B) if table.position[t] == p]
    up = cards(table.shown[p])
    room: dict[str, Any] = {"room": box.rooms[p], "here": here + ["the monster"] * (table.monster_at == p)}
    if table.lie[p]:
        room["curses"] = up + ["face down"] * (table.lie[p] - len(up))
    return room


def _team(box: Any, table: Any, t: int) -> dict[str, Any]:
    told: dict[str, Any] = {
        "room": box.rooms[table.position[t]],
        "clue-giver": f"player {table.torch[t] + 1} of {box.size[t]}",
        "faces the monster": bool(table.faces[t]),
        "curses at work": cards(table.active[t] | table.drawn[t]),
        "cards change": _cards_change(box, table, t),
        "trap words against it": table.length[t],
        "has played": bool(table.played == 2 or (table.played == 1 and table.first == t)),
    }
    if table.cause[t] != NOBODY:
        told["its last turn"] = {"ended by": CAUSES[table.cause[t]], "seconds": round(table.seconds[t], 1),
                                 "clues": table.clues[t], "wrong guesses": table.wrong[t],
                                 "a word hits a trap and is called": round(1 - math.exp(-table.hazard[t]), 4),
                                 "a word tells": round(table.worth[t], 4)}
    return told


def monster_rule(box: Any, table: Any) -> str:
    if not box.full:
        return f"every chance times {box.odds_monster[table.starred]:g}"
    return rule_of(box, box.card[FIRST_MONSTER + 2 * table.monster + table.starred])


def rule_of(box: Any, e: Any) -> str:
    """What a card does, from the numbers of the box."""
    said = [(e.traps, _many(e.traps, "more trap word")),
            (e.share, f"trap list longer by {e.share:g} times the room's number"),
            (e.curses, f"{_many(e.curses, 'curse')} drawn for each round against it")]
    return _all(said + _limits(box, e))


def _cards_change(box: Any, table: Any, t: int) -> str:
    """What all the cards at work on a team do together."""
    if not box.full:
        return "the odds"
    more = table.length[t] - box.rooms[table.position[t]]
    return _all([(more > 0, _many(more, "more trap word")), *_limits(box, table.effect[t])])


def _all(said: list[tuple[Any, str]]) -> str:
    return "; ".join(text for holds, text in said if holds) or "none"


def _limits(box: Any, e: Any) -> list[tuple[Any, str]]:
    plain = box.card[0]
    return [
        (e.guesses < plain.guesses, f"at most {_many(e.guesses, 'guess')}"), (e.timer != 1, f"sand times {e.timer:g}"),
        (e.sand < plain.sand, f"at most {e.sand:g} s"),
        (e.clue_time != 1, f"a clue takes {e.clue_time:g} times as long"),
        (e.sentence < plain.sentence, "clues of nouns only tell less"),
        (e.budget < plain.budget, f"at most {_many(e.budget, 'content word')}"),
        (e.hold > 1, f"no guess before {e.hold} clues"), (e.freeze, "no clue after the first guess"),
        (e.invalid > 0, f"each clue is invalid with chance {e.invalid:g}"),
        (e.success != 1, f"success times {e.success:g}"), (e.back, "may send the team back a room"),
    ]


def face(box: Any, where: int, a: int, b: int, c: int, n: int, result: int) -> Any:
    if n == UNIT:
        return {WHIM: "naive" if result / 2**53 < box.psi else "oblique"}.get(where, result / 2**53)
    if where == GLOW:
        return TEAM_NAMES[result]
    if where == MONSTER_CARD:
        return ("normal", "starred")[result] if a else MONSTERS[result]
    if where == CURSE_CARD:
        return f"card {result + 1} of the {n} in the pile, in the order of the box"
    if where == SKILL:
        return f"skill {box.skill[result]:.3f}"
    if where == MIND:
        return TRAPPERS[result]
    if where == SET_BACK:
        return "the forbidden word" if result == 0 else "another word of the list"
    if where == WORD:
        if c == 0:
            return f"scene {result * box.scenes // n} of {box.scenes}"
        return (f"found at information {1 / box.quick[result]:.3f}", f"ease {box.ease[result]:.3f}",
                f"traps are met after {box.fuse[result]:.3f}")[c - 1]
    if where == TALK and c % STEP < 2:
        words = box.words[box.manner[CAUTIOUS].style, result]
        return f"clue time {box.clock[result]:.3f}" if c % STEP else f"{words} content words (usual way of talking)"
    return result / n


def tell(before: dict | None, taken: dict | None, draws: list[dict], after: dict) -> list[str]:
    return [line[:1].upper() + line[1:] for line in _told(before, taken, after)]


def _told(before: dict | None, taken: dict | None, after: dict) -> list[str]:
    if before is None or taken is None:
        return _deal(after["open"]) + _round_begins(after["open"])
    was, now = before["open"], after["open"]
    team = was["to decide"]["team"]
    if taken["do"] == "write the trap list":
        how = f" ({FILL[TRAPPERS.index(taken['how'])]})" if was["turns are decided by"] == TALKING else ""
        return [f"{team} writes {_many(taken['words'], 'trap word')} against {_other(team)}{how}."]
    lines = [_turn(team, taken, was, now)]
    if now["in round"] == was["in round"] and "to decide" in now:
        return lines
    lines += _round_over(was, now)
    if "to decide" in now:
        lines += ["", f"-- round {now['in round']} --", *picture(after).splitlines(), "", *_round_begins(now)]
    return lines


def _other(team: str) -> str:
    return TEAM_NAMES[1 - TEAM_NAMES.index(team)]


def _deal(now: dict) -> list[str]:
    rooms = _listed([str(r["room"]) for r in now["dungeon"]])
    cursed = [str(r["room"]) for r in now["dungeon"] if "curses" in r]
    monster, star = now["monster"], "starred " if now["monster"]["starred"] else ""
    who = {"own": f"{star}monster of one's own", "none": "monster"}.get(monster["name"], star + monster["name"])
    lines = [f"Rooms {rooms} are laid out; the {who} waits in room {monster['room']} (its rule: {monster['rule']})."]
    if cursed:
        lines.append(f"{'Curses lie' if len(cursed) > 1 else 'A curse lies'} beside room"
                     f"{'s' if len(cursed) > 1 else ''} {_listed(cursed)}.")
    return [*lines, f"{now['glowing book goes to']} receives the glowing book."]


def _listed(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _under(curses: list[str]) -> str:
    return _listed([{"unknown": "an unknown curse", "forbidden word": "the forbidden word"}.get(c, c) for c in curses])


def _turn(team: str, taken: dict, was: dict, now: dict) -> str:
    me, last = was["teams"][team], now["teams"][team]["its last turn"]
    how = SPEAK[GIVERS.index(taken["how"])] if "how" in taken else SPEAK[FAIL]
    under = f", under {_under(me['curses at work'])}" if me["curses at work"] else ""
    where = f"before the monster in room {me['room']}" if me["faces the monster"] else f"in room {me['room']}"
    text = f"{team} {where}{under}: {me['clue-giver']} {how}"
    if "how" not in taken:
        return text + "."
    if was["turns are decided by"] != TALKING:
        text = f"{team} {where}{under}, by {was['turns are decided by']}: "
    else:
        text += f", {_many(last['clues'], 'clue')}, {_many(last['wrong guesses'], 'wrong guess')}, "
        text += f"{last['seconds']:g} s: "
    if last["ended by"] != CAUSES[0]:
        back = now["teams"][team]["room"] < me["room"]
        return text + WHY[CAUSES.index(last["ended by"])] + (", and the team is sent back a room." if back else ".")
    return text + ("the word is found, the monster beaten!" if me["faces the monster"] else "the word is found.")


def _many(n: int, what: str) -> str:
    return f"{n or 'no'} {what}{'' if n == 1 else 'es' if what.endswith('s') else 's'}"


def _round_over(was: dict, now: dict) -> list[str]:
    lines = []
    if now["monster"]["room"] != was["monster"]["room"]:
        lines.append(f"Nobody has advanced: the monster walks to room {now['monster']['room']}.")
    gone = [c for c in now["discarded curses"] if c not in was["discarded curses"]]
    if gone:
        lines.append(f"Discarded: {', '.join(gone)}.")
    return lines


def _round_begins(now: dict) -> list[str]:
    lines = []
    for team, t in now["teams"].items():
        if t["curses at work"] and not t["faces the monster"]:
            lines.append(f"{team} is under {_under(t['curses at work'])} ({t['cards change']}).")
        if t["faces the monster"]:
            also = f", under {_under(t['curses at work'])}" if t["curses at work"] else ""
            lines.append(f"{team} faces the monster in room {t['room']}{also} ({t['cards change']}).")
    return lines


def picture(state: dict) -> str:
    """The dungeon as a row of rooms: A and B the teams, M the monster, ? a curse face down, ! face up."""
    marks = {"team A": "A", "team B": "B", "the monster": "M"}
    cells = []
    for room in state["open"]["dungeon"]:
        curses = "".join("?" if c == "face down" else "!" for c in room.get("curses", []))
        cells.append(f" {room['room']:>2} {''.join(marks[h] for h in room['here']) + curses:<4}")
    edge = "+" + "+".join("-" * len(c) for c in cells) + "+"
    return "\n".join((edge, "|" + "|".join(cells) + "|", edge))
