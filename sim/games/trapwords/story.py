"""The story of a game of Trapwords in sentences, and the dungeon as a picture."""

from __future__ import annotations

import hardmode.sim.games.trapwords.names as n

TALKING = "clues and guesses"
CLEARED_LAST = "used curses go after the monster's walk"  # told of a position only where that reading is played
WHY = {  # by the cause that ended a turn
    "success": "the word is found", "trap": "a trap", "invalid clue": "an invalid clue",
    "wrong guesses": "too many wrong guesses", "timer": "the sand has run out", "card or odds": "it is not to be",
    "on purpose": "on purpose",
}
SPEAK = {  # by the clue-giver
    "naive": "says what comes to mind", "cautious": "avoids the obvious", "oblique": "goes a long way round",
    "adaptive": "goes round first, plainer later", "terse": "goes a long way round in few words",
    "contrarian": "is naive or goes round, by whim", "patient": "is heard out before anybody guesses",
    "blunt": "says just the plainest words", "chatty": "says all that comes to mind",
    "aimless": "says whatever has to do with it", "curt": "says one word and no more",
    "tardy": "talks on while nobody guesses",
}
FILL = {  # by the trappers
    "obvious": "the most obvious words", "second": "skipping the two most obvious words",
    "anticipate": "expecting the obvious to be avoided", "split": "half obvious, half further off",
    "cover": "at random from all that came up", "personal": "obvious for this very clue-giver",
    "personal anticipate": "what this very clue-giver will avoid and say", "stray": "any words that have to do with it",
    "repeat": "one idea, over and over",
}


def tell(before: dict | None, taken: dict | None, draws: list[dict], after: dict) -> list[str]:
    return [line[:1].upper() + line[1:] for line in _sentences(before, taken, after)]


def _sentences(before: dict | None, taken: dict | None, after: dict) -> list[str]:
    if before is None or taken is None:
        return _deal(after["open"]) + _round_begins(after["open"])
    was, now = before["open"], after["open"]
    team = was["to decide"]["team"]
    if taken["do"] == "write the trap list":
        how = f" ({FILL[taken['how']]})" if was["turns are decided by"] == TALKING else ""
        return [f"{team} writes {many(taken['words'], 'trap word')} against {_other(team)}{how}."]
    lines = [_turn(team, taken, was, now)]
    if now["in round"] == was["in round"] and "to decide" in now:
        return lines
    lines += _round_over(was, now)
    if "to decide" in now:
        lines += ["", f"-- round {now['in round']} --", *picture(after).splitlines(), "", *_round_begins(now)]
    return lines


def _other(team: str) -> str:
    return n.TEAM_NAMES[1 - n.TEAM_NAMES.index(team)]


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
    how = SPEAK[taken["how"]] if "how" in taken else "fails on purpose"
    under = f", under {_under(me['curses at work'])}" if me["curses at work"] else ""
    where = f"before the monster in room {me['room']}" if me["faces the monster"] else f"in room {me['room']}"
    text = f"{team} {where}{under}: {me['clue-giver']} {how}"
    if "how" not in taken:
        return text + "."
    if was["turns are decided by"] != TALKING:
        text = f"{team} {where}{under}, by {was['turns are decided by']}: "
    else:
        text += f", {many(last['clues'], 'clue')}, {many(last['wrong guesses'], 'wrong guess')}, "
        text += f"{last['seconds']:g} s: "
    if last["ended by"] != n.Cause.SUCCESS.label:
        back = now["teams"][team]["room"] < me["room"]
        return text + WHY[last["ended by"]] + (", and the team is sent back a room." if back else ".")
    return text + ("the word is found, the monster beaten!" if me["faces the monster"] else "the word is found.")


def _round_over(was: dict, now: dict) -> list[str]:
    """Curses that were at work in their rooms go before the monster walks, by the usual reading; all others after."""
    gone = [c for c in now["discarded curses"] if c not in was["discarded curses"]]
    face_up = {c for room in was["dungeon"] for c in room.get("curses", [])}
    at_work = {c for team in was["teams"].values() for c in team["curses at work"]}
    first = [] if CLEARED_LAST in was else [c for c in gone if c in face_up & at_work]
    walks = []
    if now["monster"]["room"] != was["monster"]["room"]:
        walks = [f"Nobody has advanced: the monster walks to room {now['monster']['room']}."]
    return [*_discarded(first), *walks, *_discarded([c for c in gone if c not in first])]


def _discarded(curses: list[str]) -> list[str]:
    return [f"Discarded: {', '.join(curses)}."] if curses else []


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


def many(n: int, what: str) -> str:
    return f"{n or 'no'} {what}{'' if n == 1 else 'es' if what.endswith('s') else 's'}"
