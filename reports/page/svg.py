"""What becomes of a drawn plot: an SVG in the page, whose colours follow light and dark, and one as a file of its own.

Parts that a pointer may rest on carry their words as a title, so that they are told without scripts too.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from hardmode.reports.page.style import FONT, ROLES
from hardmode.reports.page.views import Figure

TIP = "tip"  # begins the names of parts that tell something


def inlined(text: str, figure: Figure, top: int, prefix: str, tips: Sequence[str]) -> str:
    """The SVG as it stands in the page: colours by role, no title, names of its own, words for those who cannot see."""
    body = text[text.index("<svg"):]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.S)
    body = re.sub(r'<g id="title">.*?</g>', "", body, flags=re.S)
    width, height = (float(x) for x in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', body).groups())  # type: ignore[union-attr]
    cut = top * 0.75
    head = (f'<svg viewBox="0 {cut:g} {width:g} {height - cut:g}" width="{width / 0.75:.0f}" role="img" '
            f'aria-label="{escaped(figure.alt)}">')
    body = head + body[body.index(">") + 1:]
    for role, colour in ROLES.items():
        body = body.replace(colour, f"var(--{role})")
    body = _told(_fonts(body, "var(--sans)"), tips).replace("xlink:href", "href")
    kept = set(re.findall(r'url\(#([^)]+)\)|href="#([^"]+)"', body))
    kept_names = {a or b for a, b in kept}
    body = re.sub(r' id="([^"]+)"', lambda m: f' id="{prefix}{m[1]}"' if m[1] in kept_names else "", body)
    body = re.sub(r'(url\(#|href="#)', rf"\1{prefix}", body)
    return re.sub(r"\n\s*", "\n", re.sub(r"<!--.*?-->", "", body, flags=re.S))


def filed(text: str, figure: Figure, tips: Sequence[str]) -> str:
    """The SVG as a file of its own, with its words and fonts that every machine has."""
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    start = text.index(">", text.index("<svg")) + 1
    told = f"<title>{escaped(figure.title)}</title><desc>{escaped(figure.alt)}</desc>"
    return _told(_fonts(text[:start] + told + text[start:], FONT), tips)


def _told(text: str, tips: Sequence[str]) -> str:
    """Each part that was given words carries them."""
    return re.sub(rf'<g id="{TIP}(\d+)">',
                  lambda m: f'<g class="{TIP}"><title>{escaped(tips[int(m[1])])}</title>', text)


def _fonts(text: str, family: str) -> str:
    return re.sub(r"(font-family: )[^;\"]+", rf"\1{family}", text)


def escaped(text: str) -> str:
    return html.escape(clean(text))


def clean(text: str) -> str:
    """Without the control characters that XML forbids."""
    return "".join(c for c in text if c >= " " or c in "\t\n")
