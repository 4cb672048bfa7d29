"""The story of a game in sentences, and the maze as a map."""

from __future__ import annotations

from collections import Counter

from hardmode.sim.games.run_run_run.names import Token
from hardmode.sim.narration import NEW_ROUND

TRAP = Token.labels()[Token.TRAP]

# How a choice is told; what is not worth telling has no sentence. `{x}` is what the option says of x.
SENTENCES = {
    "choose a hero": "{who} plays the {hero}.",
    "who plays first": "{player} plays first.",
    "explore": "{who} explores hex {hex}.",
    "fight": "{who} walks to {at} to fight.",
    "move": "{who} walks to {at}.",
    "use token": "{who} uses a token: {token}.",
    "teleport with token": "{who} uses a token to teleport: {token}.",
    "open a wall with token": "{who} uses a token to open a wall: {token}.",
    "cooperate": "{who} turns a Regroup tile and calls the others.",
    "pass": "{who} can do nothing and passes.",
    "teleport to": "{who} appears at {to}.",
    "open a wall": "{who} opens {tile} on side {side}.",
    "path of a mummy": "{who} chooses the way of the {mummy}: by {to}.",
    "waking room": "{who} chooses where the {mummy} wakes: {to}.",
    "discard a card": "{who} loses {card} to the attack.",
    "secret passages": "{who} adds a secret passage on side {side}.",
    "room to lay": "{who} lays {card} on hex {hex}, with exits on sides {exits}.",
    "fuel card": "{who} pays for the way with {card}.",
    "mummy to strike": "{who} strikes the {mummy}.",
    "exit door": "{who} puts the Exit Door beside {tile}, on side {side}.",
    "share the pool": "{who} gives {to} out of the pool: {card}.",
    "give a token": "{who} passes a token to {to}: {token}.",
    "reserve a hex": "{who} wants hex {hex} kept free.",
    "let the others know": "{who} says: {flag}.",
}
# Options that are told in other words than the rest of their kind, or not at all.
SILENT = {("secret passages", "side", "no more passages"), ("give a token", "token", "none"),
          ("reserve a hex", "hex", "none"), ("let the others know", "flag", "nothing said")}
ANSWERS = {
    ("use a shield", "yes"): "{who} holds up a Shield.",
    ("use a shield", "no"): "{who} keeps the Shield for later.",
    ("dig for a token", "yes"): "{who} digs for a sarcophagus token.",
    ("dig for a token", "no"): "{who} does not dig.",
    ("join the regrouping", "yes"): "{who} comes.",
    ("join the regrouping", "no"): "{who} stays away.",
}
LAST_OF_A_TURN = ("let the others know", "who plays first")  # what changes then belongs to the turn that begins


def tell(before: dict | None, taken: dict | None, draws: list[dict], after: dict) -> list[str]:
    """The story of one step."""
    now = after["open"]
    if before is None or taken is None:
        heroes = ", ".join(_hero(name, p["hero"]) for name, p in now["players"].items())
        return [f"The Cats wake up in the Vault with {now['torches']} torches: {heroes}."]
    then = before["open"]
    told = [_chosen((then["decision"] or {}).get("player", "the team"), taken), *_rolled(draws, "combat dice")]
    new_round = [NEW_ROUND] if now["round"] != then["round"] else []
    turn = [f"Turn {now['turn']}: {now['active player']}."] if now["turn"] != then["turn"] else []
    begins = [*new_round, *turn, *_rolled(draws, "mummy dice")]
    mine, theirs = _gains(then, now), _mummies(then, now)
    late = not turn or taken["do"] in LAST_OF_A_TURN
    told += [*begins, *theirs, *mine] if late else [*mine, *begins, *theirs]
    return [line for line in told if line]


def _hero(name: str, hero: str) -> str:
    return f"{name} has yet to choose a hero" if hero == "not chosen yet" else f"{name} is the {hero}"


def _chosen(who: str, taken: dict) -> str:
    """The choice as a sentence; empty where it says nothing."""
    do = taken["do"]
    if any((do, key, value) in SILENT for key, value in taken.items() if isinstance(value, str)):
        return ""
    template = _template(taken)
    told = {k: _listed(v) if isinstance(v, list) else v for k, v in taken.items()}
    return _sentence(template.format(who=who, **told)) if template else ""


def _template(taken: dict) -> str:
    do = taken["do"]
    if do == "split the damage":
        shares = [f"{name} {share}" for name, share in taken.items() if name != "do"]
        return "{who} splits the damage: " + (", ".join(shares) or "nobody is hurt") + "."
    if do == "cards for dice":
        return ("{who} rolls {roll} dice." if "roll" in taken else "{who} plays a Double." if "token" in taken
                else "{who} gives up {card} for a die.")
    if do == "mechanism":
        return ("{who} leaves the mechanism alone." if taken["mechanism"] == "none"
                else "{who} sets off the {mechanism} mechanism of {rooms}.")
    if do == "footprint":
        return "{who} stays." if taken["to"] == "stay" else "{who} walks on to {to}."
    if do == "offer a card":
        return "{who} offers no more." if taken["card"] == "none" else "{who} offers a card face down: {card}."
    if do == "torches to burn":
        return "{who} burns " + (_counted(taken["torches"], "torch") if taken["torches"] else "no torch") + "."
    if do == "exit door" and "through" in taken:
        return "{who} puts the Exit Door beside {tile}, through the wall on side {side}."
    return ANSWERS.get((do, taken.get("answer", "")), "") or SENTENCES.get(do, "")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _listed(parts: list) -> str:
    return ", ".join(map(str, parts))


def _counted(n: int, what: str) -> str:
    return f"{n} {what}" + ("" if n == 1 else "es" if what.endswith("h") else "s")


def _rolled(draws: list[dict], source: str) -> list[str]:
    """What dice show, equal faces counted."""
    faces = Counter(str(d["result"]) for d in draws if d["source"] == source)
    shown = _listed([face if n == 1 else f"{n} times {face}" for face, n in faces.items()])
    return [f"The {source} show {shown}."] if len(faces) else []


def _mummies(then: dict, now: dict) -> list[str]:
    """What mummies did, and what became of them."""
    told = []
    for name, m in now["mummies"].items():
        old = then["mummies"].get(name)
        if old is None:
            told.append(f"The {name} stands up at {m['at']} with {_counted(m['hearts'], 'heart')}.")
        elif old["at"] != m["at"]:
            told.append(f"The {name} moves from {old['at']} to {m['at']}.")
        elif old["hearts"] > m["hearts"]:
            told.append(f"The {name} has {_counted(m['hearts'], 'heart')} left.")
    told += [f"The {name} is beaten." for name in then["mummies"] if name not in now["mummies"]]
    hearts = now["mummy pile"]["hearts on the top card"]
    if hearts > then["mummy pile"]["hearts on the top card"]:
        told.append(f"The mummy on top of the pile now has {_counted(hearts, 'heart')}.")
    return told


def _gains(then: dict, now: dict) -> list[str]:
    """Cards, tokens and torches that came or went."""
    told = []
    for name, p in now["players"].items():
        old = then["players"][name]
        more = p["cards"] - old["cards"]
        if more:
            told.append(_sentence(f"{name} now holds {_counted(p['cards'], 'card')} ({more:+})."))
        told += [_sentence(f"{name} finds a token: {new}.")
                 for new in (Counter(p["tokens"]) - Counter(old["tokens"])).elements()]
    traps = now["used tokens"].count(TRAP) - then["used tokens"].count(TRAP)
    told += ["The token is a Trap."] * traps
    for what in ("torches", "door mechanisms left", "torch mechanisms left", "regroup tiles"):
        if now[what] != then[what]:
            told.append(f"{_sentence(what)}: {then[what]} -> {now[what]}.")
    return told


def picture(state: dict) -> str:
    """The maze from above: each tile with its symbol and who stands there; rows slant to the right."""
    seen = state["open"]
    cells = {}
    for t in seen["maze"]:
        q, row = t["hex"]
        mark = {"Vault": "V", "Exit Door": "E"}.get(t["tile"].split(" at ")[0], "") or t["bears"][0]
        cats = "".join(name[-1] for name, p in seen["players"].items() if p["at"] == t["tile"])
        here = "!" * sum(m["at"] == t["tile"] for m in seen["mummies"].values())
        cells[q, row] = f"{mark}{cats}{here}".ljust(5, ".")
    rows = [row for _, row in cells]
    left = min(2 * q + row for q, row in cells)
    lines = []
    for row in range(min(rows), max(rows) + 1):
        line = ""
        for q in sorted(q for q, at in cells if at == row):
            line = line.ljust(3 * (2 * q + row - left)) + cells[q, row]
        lines.append(line.rstrip())
    return "\n".join(lines)
