"""Tells a game in the page: plays it by the kernel, and tells each step in the game's words.

It answers the messages of the page. `kernel` is JavaScript; `WORDS` and `FACTS` are of the game.
"""

import json
import struct

import kernel

REAL, TRIAL = 0, 1  # positions in the kernel's workspace
DECISION = -1  # in the log, in place of a source
LOG_ENTRY = 48  # bytes
NO_OPTION = -(1 << 52)  # is in no list, so that a continuation ends with its deal
DETERMINIZATIONS = 16  # in which something must be the same to count as known
DEALS = 1 << 20  # the salt of the first of them
COSTS = 1  # the salt of continuations by which choices are compared
COMMON_VIEW = -1


class Step:
    """One decision with its consequences; step 0 is the deal."""

    def __init__(self, number, draws, state, decision, taken):
        self.number = number
        self.draws = draws
        self.state = state
        self.decision = decision
        self.index = taken
        self.taken = decision["options"][taken] if decision else None


class Source:
    """A source of random draws."""

    def __init__(self, name, address):
        self.name = name
        self.address = address


class Table:
    """One game in the kernel.

    Args:
        number: The number of the game.
    """

    def __init__(self, number):
        self.number = number
        self.box = Record(_FileBytes("/box"), 0, LAYOUT["box"])
        self.log_length = 0
        self.row = []

    def play(self, script, stop_step):
        """Play the game, and return its choices up to a step, or to its end if this is -1."""
        answer = json.loads(kernel.play(self.number, json.dumps(script), stop_step))
        self.row = answer["row"]
        return answer["choices"]

    def seek(self, script):
        """Follow choices, and read the position to which they lead."""
        self.play(script, len(script))
        self.table = Record(_Bytes(read("table")), 0, LAYOUT["table"])
        self.hidden = self.read_hidden(REAL)
        self.codes = []
        if self.table.ending < 0:
            offered = struct.unpack("<q", read("offered"))[0]
            self.codes = list(struct.unpack("<%dq" % offered, read("list", 0, 8 * offered)))

    def read_hidden(self, place):
        return Record(_Bytes(read("hidden", place * LAYOUT["hidden"]["size"])), 0, LAYOUT["hidden"])

    def read_draws(self):
        """Return the draws since the last call in words."""
        end = min(struct.unpack("<q", read("log_n"))[0], LAYOUT["log_capacity"])
        size = LOG_ENTRY * (end - self.log_length)
        data = read("log", LOG_ENTRY * self.log_length, size) if size else b""
        self.log_length = end
        entries = [struct.unpack_from("<6q", data, at) for at in range(0, size, LOG_ENTRY)]
        return [
            WORDS.describe_draw(WORDS, self.box, SOURCES[entry[0]], entry)
            for entry in entries
            if entry[0] != DECISION
        ]

    def describe_decision(self):
        """Return the decision at the position in words; None at the end of the game."""
        if self.table.ending >= 0:
            return None
        seat = self.table.seat
        own = self.hidden.own[seat]
        options = [WORDS.option(self.box, self.table, own, code) for code in self.codes]
        return {"kind": KINDS[self.table.kind], "seat": seat, "options": options}

    def describe_ending(self):
        return WORDS.describe_ending(ENDINGS[self.row[0]], self.row[1], UNIT)

    def roll(self, step, view, worlds, option=None, salt=0, is_own_view=False):
        """Play continuations from the position, and return who wins each, as bits by seat."""
        arguments = {
            "view": view,
            "fixed": int(LAYOUT["fixed_view"] and not is_own_view),
            "forced": int(option is not None),
            "option": option or 0,
            "step": step,
            "salt": salt,
            "worlds": worlds,
        }
        return json.loads(kernel.roll(self.number, json.dumps(arguments)))


def read(name, offset=0, size=None):
    """Return bytes of the kernel's workspace."""
    start, whole = LAYOUT["at"][name]
    kernel.read(start + offset, whole if size is None else size, "/part")
    with open("/part", "rb") as file:
        return file.read()


def post(**answer):
    kernel.post(json.dumps(answer))


def has_won(winners, view):
    return winners != 0 if view == COMMON_VIEW else winners >> view & 1


def list_views(seats):
    return list(range(seats)) if LAYOUT["competitive"] and seats > 1 else [COMMON_VIEW]


# -- showing a game -------------------------------------------------------------------------------


def follow(table, script, steps):
    """Yield the steps of a game, and add each to a list before."""
    decision = None
    for k in range(len(script) + 1):
        table.seek(script[:k])
        draws = table.read_draws()
        state = WORDS.state(table.box, table.table, table.hidden)
        step = Step(k, draws, state, decision, script[k - 1] if k else 0)
        decision = table.describe_decision()
        steps.append(step)
        yield step


def show(number):
    """Tell a game step by step."""
    table = Table(number)
    script = table.play([], -1)
    ending = table.describe_ending()
    post(length=len(script))
    steps = []
    for lines in WORDS.describe_steps(follow(table, script, steps), WORDS, UNIT, {}):
        if not steps:
            post(lines=lines + ["", ending])
            continue
        step = steps.pop()
        answer = {"step": step.number, "lines": lines, "draws": [name_draw(d) for d in step.draws]}
        if step.decision:
            answer.update(describe_choice(step.decision), taken=step.index)
        post(**answer)
    post(ending=ending)
    return script


def name_draw(draw):
    return "%s: %s" % (draw["source"], WORDS.format_value(draw["result"]))


def describe_choice(decision):
    options = [WORDS.format_option(option) for option in decision["options"]]
    return {"kind": decision["kind"], "seat": decision["seat"] + 1, "options": options}


def estimate(number, script, worlds):
    """Tell the chance to win after the deal and after each step."""
    table = Table(number)
    table.play([], -1)
    winners = table.row[2]
    for k in range(len(script) + 1):
        table.seek(script[:k])
        chances = []
        for view in list_views(table.table.seats):
            found = table.roll(k, view, worlds) if k < len(script) else [winners]
            chances.append([sum([has_won(w, view) for w in found]), len(found)])
        post(chance=k, chances=chances)
    post(estimated=True)


# -- taking a seat --------------------------------------------------------------------------------


class Sitting:
    """A game in which the reader holds a seat, and sees only what that seat may know."""

    def __init__(self, number, seat):
        self.table = Table(number)
        self.seat = seat
        self.script = []
        self.own_choices = []
        self.states = None
        self.round = None
        self.look(None, False)
        self.advance()

    def advance(self):
        """Play to the reader's next choice, or to the ending."""
        while self.decision:
            is_real = len(self.table.codes) > 1
            if is_real and self.decision["seat"] == self.seat:
                picture = WORDS.picture(self.known_state).splitlines()
                post(ask=len(self.script), picture=picture, **describe_choice(self.decision))
                return
            i = self.ask_strategy(len(self.script)) if is_real else 0
            self.take(i, is_real and self.is_secret(i))
        post(lines=[""] + WORDS.picture(self.known_state).splitlines())
        post(over=self.table.describe_ending(), choices=self.own_choices)

    def choose(self, i):
        self.own_choices.append([len(self.script), i])
        self.take(i, False)
        self.advance()

    def take(self, i, is_secret):
        decision = self.decision
        self.script.append(i)
        if is_secret:
            who = decision["seat"] + 1
            post(lines=["Seat %d has chosen secretly (%s)." % (who, decision["kind"])])
        self.look(decision["options"][i], is_secret)

    def ask_strategy(self, step):
        """Return the option that the seat's player takes at a step."""
        return self.table.play(self.script[:step], step + 1)[step]

    def is_secret(self, i):
        """Return whether the seat sees no difference between an option and some other option."""
        seen = self.see(i)
        return any([self.see(j) == seen for j in range(len(self.table.codes)) if j != i])

    def see(self, i):
        self.table.play(self.script + [i], len(self.script) + 1)
        place, _, item = LAYOUT["hidden"]["fields"]["own"]
        return read("table"), read("hidden", place + self.seat * item["size"], item["size"])

    def look(self, taken, is_secret):
        """Read the position, and tell of the last step what the seat knows."""
        table, before = self.table, self.states
        table.seek(self.script)
        draws = table.read_draws()
        self.decision = table.describe_decision()
        if self.decision:
            n = DETERMINIZATIONS
            self.states = [self.describe_deal(DEALS + n * len(self.script) + i) for i in range(n)]
        else:
            state = WORDS.state(table.box, table.table, table.hidden)
            self.states = [state] * DETERMINIZATIONS
        known = WORDS.find_common_knowledge([state["hidden"] for state in self.states])
        self.known_state = _dict(self.states[0], [("hidden", known)])
        lines, heading = [], []
        if not is_secret:
            told = [
                WORDS.tell(before[i] if before else None, taken, draws, self.states[i])
                for i in range(DETERMINIZATIONS)
            ]
            lines = WORDS.keep_known_lines(told)
        now = self.known_state.get("open", {}).get("round")
        if now != self.round and self.round is not None and now is not None:
            heading = WORDS.draw_round(WORDS, UNIT, now, self.known_state)
        self.round = now
        post(lines=WORDS.insert_round(lines, heading))

    def describe_deal(self, salt):
        """Return the position in words, with all that the seat cannot know dealt anew."""
        table = self.table
        size = LAYOUT["hidden"]["size"]
        hidden = LAYOUT["at"]["hidden"][0]
        kernel.move(hidden + size, hidden, size)
        mover = table.table.seat
        kernel.write(LAYOUT["at"]["seat"][0], self.seat)
        table.roll(len(self.script), self.seat, 1, NO_OPTION, salt, True)
        kernel.write(LAYOUT["at"]["seat"][0], mover)
        return WORDS.state(table.box, table.table, table.read_hidden(TRIAL))

    def judge(self, worlds):
        """Tell for each choice what the seat's player would take, and what the choice cost."""
        table = self.table
        view = self.seat if LAYOUT["competitive"] else COMMON_VIEW
        for step, taken in self.own_choices:
            advised = self.ask_strategy(step)
            table.seek(self.script[:step])
            options = describe_choice(table.describe_decision())["options"]
            outcomes = []
            for i in (taken, advised):
                code = table.codes[i]
                found = table.roll(step, self.seat, worlds, code, COSTS, not LAYOUT["fixed_view"])
                outcomes.append([bool(has_won(w, view)) for w in found])
            pairs = list(zip(*outcomes))
            post(
                judged=step,
                taken=options[taken],
                advised=options[advised],
                worlds=worlds,
                wins=sum(outcomes[1]),
                gained=sum([a and not b for a, b in pairs]),
                lost=sum([b and not a for a, b in pairs]),
            )
        post(judged_all=True)


# -- messages -------------------------------------------------------------------------------------

with open("/layout") as opened:
    LAYOUT = json.loads(opened.read())
_FACTS = json.loads(FACTS)
UNIT, KINDS, ENDINGS = _FACTS["unit"], _FACTS["kinds"], _FACTS["endings"]
SOURCES = [Source(name, address) for name, address in _FACTS["sources"]]
SITTING = []


def answer(text):
    """Do what a message asks for, and post the answers."""
    asked = json.loads(text)
    if "show" in asked:
        script = show(asked["show"])
        if asked["worlds"]:
            estimate(asked["show"], script, asked["worlds"])
    elif "sit" in asked:
        SITTING[:] = [Sitting(asked["sit"], asked["seat"])]
    elif "choose" in asked:
        SITTING[0].choose(asked["choose"])
    else:
        SITTING[0].judge(asked["judge"])
