"""Five dice in words."""

from five_dice import BASE, FACES, KEEP

BOXES = ("ones", "twos", "threes", "fours", "fives", "sixes", "three of a kind", "four of a kind", "full house",
         "small straight", "large straight", "five of a kind", "chance")


def list_dice(code):
    dice = []
    for face in range(FACES):
        dice += [face + 1] * (code % BASE)
        code //= BASE
    return dice


def option(box, table, own, code):
    if table.kind == KEEP:
        return {"keep": list_dice(code)}
    return {"fill": BOXES[code]}


def label(box, number):
    return (*BOXES, "keep dice")[number]


def state(box, table, hidden):
    dice = [face + 1 for face in range(FACES) for _ in range(table.count[face])]
    sheet = {name: table.points[i] for i, name in enumerate(BOXES) if table.filled[i]}
    return {"open": {"round": table.round, "roll": table.roll, "dice": dice, "sheet": sheet, "score": table.score},
            "hidden": {}}


def face(box, where, a, b, c, n, result):
    return result + 1


def tell(before, taken, draws, after):
    dice = " ".join(map(str, after["open"]["dice"]))
    if before is None:
        return [f"The first roll shows {dice}."]
    if "keep" in taken:
        kept = " ".join(map(str, taken["keep"])) or "nothing"
        return [f"Keeps {kept}; the dice show {dice}."]
    filled = after["open"]["sheet"][taken["fill"]]
    return [f"Fills {taken['fill']} with {filled} points."]


def picture(state):
    return f"{state['open']['score']} points"
