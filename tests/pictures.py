"""`make pictures`: how the page looks, on one sheet: on a screen, on a telephone, at night and on paper.

    python -m tests.pictures [FOLDER]

The pages of the four standard scenarios, a grid of 54 cells, a comparison and a game in which seats compete are written
to a folder with a picture of each look; the sheet of all of them is kept beside the tests, to be looked at.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, ImageDraw

from hardmode.reports.page import report
from hardmode.reports.page.print_edition import find_browser
from hardmode.scenarios.load import load_scenario
from hardmode.studies.comparison.compare import compare
from hardmode.studies.core.run import Effort

SHEET = Path(__file__).parent / "reports" / "pictures.webp"
GRID, RIVALS, COMPARED = "woodlands/bosses", "vengeance/three-players", ("run_run_run/standard", "torches.start=-1")
SECONDS = 8.0
# CSS pixels: wide, and as much of the height as is looked at.
LOOKS = {"1280": (1280, 2200), "390": (390, 1500), "dark": (1280, 2200), "print": (695, 2070)}
THUMB, GAP = 300, 12
DARK = "--blink-settings=preferredColorScheme=0"


def pages(folder: Path) -> Iterator[tuple[str, Path]]:
    """Every page that is looked at, with its name."""
    for name in (*report.list_standard_scenarios(), GRID, RIVALS):
        made = report.write_report([load_scenario(name)], Effort(report.MOST_GAMES), folder / name, seconds=SECONDS)
        yield name, made
    a, change = COMPARED
    found = compare(load_scenario(a), load_scenario(a, [change]), Effort(20_000))
    yield f"{a} compared", report.write_comparison_page(found, folder / "compared")


def on_paper(page: Path) -> Path:
    """The page as the print has it, for a screen as wide as the paper."""
    text = page.read_text("utf-8").replace("@media print", "@media all")
    text = re.sub(r"@media \((min|max)-width", r"@media print and (\1-width", text)
    paper = page.with_name("paper.html")
    paper.write_text(re.sub(r"<script>.*?</script>", "", text, flags=re.S), "utf-8")
    return paper


def shot(page: Path, look: str, to: Path) -> None:
    """A picture of the page in one look."""
    width, height = LOOKS[look]
    source = on_paper(page) if look == "print" else page
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run([find_browser(), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                        f"--user-data-dir={profile}", f"--window-size={width},{height}", "--virtual-time-budget=2000",
                        *([DARK] if look == "dark" else []), f"--screenshot={to}", source.as_uri()],
                       check=True, capture_output=True, timeout=120)


def sheet(rows: list[tuple[str, list[Path]]]) -> Image.Image:
    """All pictures beside and below each other, small."""
    small = [(name, [_thumb(path) for path in paths]) for name, paths in rows]
    heights = [max(image.height for image in images) + 34 for _, images in small]
    whole = Image.new("RGB", (len(LOOKS) * (THUMB + GAP) + GAP, sum(heights) + GAP), "#8a94a0")
    draw, top = ImageDraw.Draw(whole), GAP
    for (name, images), height in zip(small, heights, strict=True):
        draw.text((GAP, top), f"{name}: {', '.join(LOOKS)}", fill="white")
        for i, image in enumerate(images):
            whole.paste(image, (GAP + i * (THUMB + GAP), top + 16))
        top += height
    return whole


def _thumb(path: Path) -> Image.Image:
    image = Image.open(path).convert("RGB")
    scale = THUMB / image.width
    image = image.resize((THUMB, round(image.height * scale)), Image.Resampling.LANCZOS)
    return image.crop((0, 0, THUMB, min(image.height, 3 * THUMB)))


def main(folder: Path) -> None:
    rows = []
    for name, page in pages(folder):
        pictures = [page.with_name(f"{look}.png") for look in LOOKS]
        for look, picture in zip(LOOKS, pictures, strict=True):
            shot(page, look, picture)
        rows.append((name, pictures))
        print(page)
    sheet(rows).save(SHEET, quality=62, method=6)
    print(f"{SHEET}: {SHEET.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp(prefix="pictures-")))
