"""What a reader could not read of a plot: words that are cut off, and words over others."""

from itertools import combinations

from hardmode.reports.page.sheet import Box, Sheet


def crowded(sheet: Sheet) -> list[str]:
    words = [*sheet.heading, *sheet.words]
    cut = [one.text for one in words if not _inside(one.box, sheet)]
    over = [f"{one.text} / {other.text}" for one, other in combinations(words, 2) if _overlap(one.box, other.box)]
    return cut + over


def _inside(box: Box, sheet: Sheet) -> bool:
    return box.left >= 0 and box.right <= sheet.width and box.top >= -sheet.above and box.bottom <= sheet.height


def _overlap(a: Box, b: Box) -> bool:
    return a.left < b.right and b.left < a.right and a.top + 1 < b.bottom and b.top + 1 < a.bottom
