"""The plots: every kind says all it has to, at every width, with no word cut off or over another."""

import io
import xml.etree.ElementTree as ET
from itertools import pairwise
from math import inf, nan

import pytest
from matplotlib.font_manager import findfont, fontManager
from PIL import Image

from hardmode.reports.page import model, png, sheet
from hardmode.reports.page.axes import Axes, Scale, choose_fitting_labels, make_round_scale
from hardmode.reports.page.plots import DRAW, draw_figure, lay_out_figure
from hardmode.reports.page.sheet import Box, Sheet, width
from hardmode.reports.page.style import BROAD, ROLES, WIDE
from hardmode.studies.stats.estimates import Estimate
from tests.reports.crowding import crowded

SVG = "{http://www.w3.org/2000/svg}"
LONG = "setup.difficulty_of_the_second_chapter played by everybody at the table"


def some(value, half=0.05):
    return Estimate(value, value - half, value + half, 1000)


def row(label, value, **more):
    return {"label": label, "estimate": some(value), **more}


SERIES = [{"name": name, "role": role} for name, role in (("beaten", "a"), ("all downed", "b"), ("threat full", "c"))]
PANELS = [
    {
        "title": f"players {n}",
        "rows": ["easy", "a rather hard one"],
        "columns": ["snake matriarch", "owl", "elk"],
        "cells": [[some(0.1 * n), some(0.9), None], [some(0.35, 0.01), Estimate(nan, nan, nan, 0), some(1.0)]],
    }
    for n in (1, 2, 3)
]
CURVES = [
    {
        "name": f"curve {role}",
        "role": role,
        "x": list(range(12)),
        "estimates": [some(0.07 * x + 0.04 * i) for x in range(12)],
    }
    for i, role in enumerate("abcd")
]
FIGURES = {
    "dots": model.make_dot_plot(
        "d",
        "Win rate by what was chosen at the very beginning of a long evening",
        [row("steady", 0.42), row(LONG, 0.99, group="the other half"), row("expert", 0.0, group="the other half")],
        "rate",
        "win rate",
        band=(0.4, 0.6),
        band_text="target 40 to 60 %",
        mark=0.5,
        mark_text="as it stands",
    ),
    "stacked": model.make_stacked_bars(
        "s",
        "Endings",
        [
            {"label": LONG, "games": 100, "shares": [0.5, 0.5, 0.0]},
            {"label": "b", "games": 9, "shares": [0.03, 0.01, 0.96]},
        ],
        SERIES,
    ),
    "heat": model.make_heat_map(
        "h",
        "Win rate by boss and pile",
        PANELS,
        "rate",
        "pile",
        "boss",
        "win rate",
        band=(0.3, 0.4),
        band_text="inside the target of 30 to 40 %",
    ),
    "tornado": model.make_tornado_plot(
        "t",
        "One step away",
        [
            {
                "label": "setup.rooms",
                "steps": [("seven", some(-0.31)), ("three", some(0.09, 0.04)), ("four", some(0.06))],
            },
            {"label": "switches.last_round", "steps": [("the leader of the round wins it all", some(0.04, 0.01))]},
        ],
        "points of games won",
    ),
    "trade": model.make_trade_off_plot(
        "r",
        "One against the other",
        [{"label": f"rooms {i}", "at": (10 * i, 100 - i * i), "best": i in (2, 9)} for i in range(10)],
        ("win rate, %", "rounds"),
        [(20, inf), (30, 50)],
    ),
    "bars": model.make_histogram(
        "b",
        "Length",
        range(3, 19),
        [{"name": "won", "role": "a", "y": [0.01] * 16}, {"name": "lost", "role": "b", "y": [0.02] * 15 + [0.0]}],
        "rounds",
        "how long games last",
    ),
    "lines": model.make_line_plot(
        "l",
        "Still playing",
        CURVES,
        "round",
        "share of games",
        "how many go on",
        share=True,
        mark=10.5,
        mark_text="here is the middle",
        mark_ends=(10, 11),
    ),
    "odds": model.make_win_chance_plot(
        "o",
        "Chance to win",
        CURVES[:1],
        [(i, str(i)) for i in range(12)],
        [(3, 0.2, "1"), (3.1, 0.2, "2"), (11, 0.9, "3"), (11, 0.9, "4"), (10.9, 0.9, "5")],
        "round",
        "how the chance went",
    ),
}


def test_there_is_one_of_every_kind():
    assert set(FIGURES) == set(DRAW)


@pytest.mark.parametrize("wide", [WIDE, BROAD])
@pytest.mark.parametrize("kind", DRAW)
def test_no_word_is_cut_off_or_over_another(kind, wide):
    drawn = lay_out_figure(FIGURES[kind], wide)
    assert drawn.words and crowded(drawn) == []
    ends = [0, 0, drawn.width, drawn.height]
    for mark in drawn.marks:
        points = [mark.at] if hasattr(mark, "at") else mark.points
        assert all(ends[0] - 1 <= x <= ends[2] + 1 and ends[1] - 1 <= y <= ends[3] + 1 for x, y in points), mark


def test_crowding_is_seen():
    drawn = Sheet(100, 50)
    drawn.add_words(10, 10, "one")
    assert crowded(drawn) == []
    drawn.add_words(20, 12, "two")
    drawn.add_words(95, 40, "three")
    assert crowded(drawn) == ["three", "one / two"]


@pytest.mark.parametrize("kind", DRAW)
def test_a_file_says_what_the_page_says_and_its_title(kind):
    figure = FIGURES[kind]
    inline, filed, picture = draw_figure(figure)
    page, file = ET.fromstring(inline), ET.fromstring(filed)
    words, title = ([x.text for x in root.iter() if x.tag.removeprefix(SVG) == "text"] for root in (page, file))
    assert " ".join(title) == " ".join([figure.title, *words])
    tips = [[x[0].text for x in root.iter() if x.get("class") == "tip"] for root in (page, file)]
    assert tips[0] == tips[1] and (tips[0] or kind in ("trade", "odds"))
    colours = {c for c in ROLES.values() if c in filed}
    assert colours and "var(--" not in filed and not [c for c in colours if c in inline]
    image = Image.open(io.BytesIO(picture))
    assert image.size == (2 * round(float(file.get("width"))), 2 * round(float(file.get("height"))))
    assert image.text["Title"] == figure.title and round(image.info["dpi"][0]) == 192


@pytest.mark.parametrize("kind", DRAW)
def test_the_png_shows_the_colours_of_the_svg(kind):
    shown = {
        colour for _, colour in Image.open(io.BytesIO(draw_figure(FIGURES[kind])[2])).convert("RGB").getcolors(10**6)
    }
    for mark in lay_out_figure(FIGURES[kind], WIDE).marks:
        role = getattr(mark, "fill", "") or getattr(mark, "role", "")
        if role and getattr(mark, "alpha", 1.0) == 1.0:
            assert tuple(bytes.fromhex(ROLES[role][1:])) in shown, mark


@pytest.mark.parametrize(
    ("low", "high", "most", "told"),
    [
        (-2, 102, 6, ["0", "20", "40", "60", "80", "100"]),
        (0, 0.35, 4, ["0.0", "0.1", "0.2", "0.3"]),
        (-31, 9, 5, ["−30", "−20", "−10", "0"]),
        (0, 12_500, 3, ["0", "5,000", "10,000"]),
        (0, 90, 4, ["0", "25", "50", "75"]),
        (3, 3, 4, ["3.00"]),
    ],
)
def test_scales_are_told_in_round_values(low, high, most, told):
    assert [t.label for t in make_round_scale(Scale(low, high), most)] == told


def test_labels_side_by_side_have_room():
    scale = Scale(-41, 15)
    for room in range(10, 600, 7):
        ticks = choose_fitting_labels(scale, room)
        halves = [(scale.share(t.at) * room, width(t.label) / 2) for t in ticks]
        ends = [(at - half, at + half) for at, half in halves]
        assert ticks and all(end + 8 < begin for (_, end), (begin, _) in pairwise(ends)), room
    assert [t.label for t in choose_fitting_labels(scale, 74)] == ["−25", "0"] and len(
        choose_fitting_labels(scale, 590)
    ) > 9


def test_what_is_counted_has_no_halves():
    assert [t.label for t in make_round_scale(Scale(0, 10, whole=True), 4)] == ["0", "5", "10"]
    assert [t.label for t in make_round_scale(Scale(0.9, 3.1, whole=True), 9)] == ["1", "2", "3"]
    assert [t.label for t in make_round_scale(Scale(3.1, 0.9), 5)] == ["1.0", "1.5", "2.0", "2.5", "3.0"]


def test_what_lies_outside_of_the_axes_ends_at_their_edge():
    axes = Axes(Sheet(200, 100), Box(0, 0, 200, 100), Scale(0, 10), Scale(0, 1))
    assert axes.box(-inf, 0.5, 20, 0) == Box(axes.inner.left, axes.at(0, 0.5)[1], axes.inner.right, axes.inner.bottom)


def test_lines_of_a_png_are_as_thick_and_dashed_as_they_are_told():
    drawn = Sheet(100, 40)
    drawn.line([(0, 10), (100, 10)], "a", width=4)
    drawn.line([(0, 30), (100, 30)], "b", width=2, dashes=(8, 2))
    picture = Image.open(io.BytesIO(png.render_png(drawn, ""))).convert("RGB")
    blue, red = (tuple(bytes.fromhex(ROLES[role][1:])) for role in "ab")
    above = round(png.DENSE * drawn.above)
    upright = [picture.getpixel((100, y)) == blue for y in range(above, above + 40)]
    assert upright == [16 <= y < 24 for y in range(40)]
    along = [picture.getpixel((x, above + 60)) == red for x in range(200)]
    assert 140 <= sum(along) <= 170 and sum(a and not b for a, b in pairwise(along)) in (9, 10)


def test_a_machine_without_fonts_has_the_one_that_comes_along(monkeypatch):
    monkeypatch.setattr(fontManager, "get_font_names", lambda: ["DejaVu Sans", "Symbola"])
    for bold, name in ((False, "DejaVuSans.ttf"), (True, "DejaVuSans-Bold.ttf")):
        found = sheet.letters.__wrapped__(12, bold)
        assert found.get_family() == ["DejaVu Sans"]
        assert findfont(found).endswith(name)


def test_strange_letters_stop_nothing():
    drawn = draw_figure(
        model.make_dot_plot("d", "\u7b2c\x00\ud800 & <b>", [row("\U0001f409 \u05d0\u0628 \x07", 0.5)], "rate", "rate")
    )
    assert "&amp; &lt;b&gt;" in drawn[1] and "\x07" not in drawn[0]
