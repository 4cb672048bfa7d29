"""The plots: every kind shows all it has to, at every width, with no text cut off or over another."""

import io
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from math import inf, nan

import matplotlib
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont
from PIL import Image

import hardmode
from hardmode.reports.page import model
from hardmode.reports.plots import curves, figures, rows, style
from hardmode.reports.plots.style import BROAD, COLORS, WIDE
from hardmode.studies.stats import formatting
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
        [(20, 90), (30, 50)],
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

UNKNOWN = Estimate(nan, nan, nan, 0)
ONE_GAME = Estimate(3.0, -inf, inf, 1)
EDGES = {
    "one row": model.make_dot_plot("e", "One", [row("steady", 0.5)], "rate", "win rate"),
    "zero games": model.make_dot_plot("e", "None", [{"label": "x", "estimate": UNKNOWN}], "rate", "win rate"),
    "one game": model.make_dot_plot("e", "One", [{"label": "x", "estimate": ONE_GAME}], "mean", "rounds"),
    "no rows": model.make_dot_plot("e", "No rows", [], "rate", "win rate"),
    "50 rows": model.make_dot_plot("e", "Many", [row(f"{LONG} {i}", i / 50) for i in range(50)], "points", "points"),
    "50 bars": model.make_stacked_bars(
        "e", "Many", [{"label": f"{i} {LONG}", "games": 9, "shares": [0.2, 0.3, 0.5]} for i in range(50)], SERIES
    ),
    "zero bars": model.make_stacked_bars("e", "None", [{"label": "x", "games": 0, "shares": [0.0, 0.0, 0.0]}], SERIES),
    "one cell": model.make_heat_map(
        "e", "One", [{"title": "", "rows": [1], "columns": [LONG], "cells": [[some(0.5)]]}], "rate", "a", "b", "rate"
    ),
    "one step": model.make_tornado_plot(
        "e", "One", [{"label": LONG, "steps": [(LONG, some(-0.9, 0.1))]}, {"label": "b", "steps": []}], "points"
    ),
    "unknown steps": model.make_tornado_plot("e", "None", [{"label": "b", "steps": [("x", UNKNOWN)]}], "points"),
    "one point": model.make_line_plot(
        "e", "One", [{"name": "", "role": "a", "x": [3], "estimates": [some(7.0)]}], "round", "hearts", "alt"
    ),
    "unknown point": model.make_line_plot(
        "e", "One", [{"name": "", "role": "a", "x": [1, 2], "estimates": [UNKNOWN, ONE_GAME]}], "round", "hearts", "alt"
    ),
    "one bar": model.make_histogram("e", "One", [4], [{"name": "all", "role": "a", "y": [1.0]}], "rounds", "alt"),
    "no turns": model.make_win_chance_plot("e", "One", CURVES[:2], [], [], "round", "alt"),
    "all alike": model.make_trade_off_plot(
        "e", "One", [{"label": LONG, "at": (5, 5), "best": False}], ("a", "b"), [(5, 5), (4, 6)]
    ),
}


def test_there_is_one_of_every_kind():
    assert set(FIGURES) == set(figures.PLOTS)


@pytest.mark.parametrize("wide", [WIDE, BROAD])
@pytest.mark.parametrize("kind", FIGURES)
def test_no_text_is_cut_off_or_over_another(kind, wide):
    wide = BROAD if kind == "heat" else wide  # it has nine columns
    assert crowded(figures.plot_figure(FIGURES[kind], wide)) == []


@pytest.mark.parametrize("name", EDGES)
def test_edge_cases_are_drawn_without_crowding(name):
    assert crowded(figures.plot_figure(EDGES[name])) == []
    drawn = figures.draw_svg(EDGES[name])
    assert "nan" not in drawn.inline.replace("unknown", "") and ET.fromstring(drawn.inline).find(".//text") is not None


def test_crowding_is_seen():
    figure = Figure(figsize=(2, 1), dpi=72)
    figure.text(0.1, 0.5, "one")
    assert crowded(figure) == []
    figure.text(0.15, 0.52, "two")
    figure.text(0.95, 0.9, "three")
    assert crowded(figure) == ["three", "one / two"]


@pytest.mark.parametrize("kind", FIGURES)
def test_a_file_says_what_the_page_says_and_its_title(kind):
    figure = FIGURES[kind]
    inline, filed = figures.draw_svg(figure)
    page, file = ET.fromstring(inline), ET.fromstring(filed)
    words, title = ([x.text for x in root.iter() if x.tag.removeprefix(SVG) == "text"] for root in (page, file))
    assert sorted(title) == sorted([figure.title, *words])
    tips = [[x[0].text for x in root.iter() if x.get("class") == "tip"] for root in (page, file)]
    assert tips[0] == tips[1] and (tips[0] or kind == "trade")
    assert figure.alt == page.get("aria-label") == file.get("aria-label")
    (_, top, width, height), (*_, full) = ([float(x) for x in root.get("viewBox").split()] for root in (page, file))
    assert top > 0 and full == pytest.approx(top + height, abs=0.1)
    image = Image.open(io.BytesIO(figures.draw_png(figure)))
    assert image.size == (2 * width, pytest.approx(2 * full, abs=2)) and image.text["Title"] == figure.title


@pytest.mark.parametrize("kind", FIGURES)
def test_every_colour_of_the_page_is_a_variable_and_every_colour_of_a_file_is_fixed(kind):
    inline, filed = figures.draw_svg(FIGURES[kind])
    assert not re.findall("#[0-9a-f]{6}", inline) and "var(--" not in filed
    named = set(re.findall(r"var\(--([a-z0-9-]+)\)", inline))
    assert named <= set(COLORS) and {COLORS[role] for role in named} <= set(re.findall("#[0-9a-f]{6}", filed))


def test_every_role_has_a_colour_of_its_own_and_the_style_file_uses_no_other():
    assert len(set(COLORS.values())) == len(COLORS)
    used = re.findall(r"(?<![0-9a-z])[0-9a-f]{6}(?![0-9a-z])", style.PATH.read_text())
    assert used and {f"#{color}" for color in used} <= set(COLORS.values())
    text = (style.PATH.parents[1] / "page" / "templates" / "page.css").read_text()
    for role, color in COLORS.items():
        found = re.search(rf"--{role}: (#[0-9a-f]+)", text)[1]
        assert found in (color, "#ffffff" if role == "on-deep" else color), role


@pytest.mark.parametrize("kind", FIGURES)
def test_drawings_are_the_same_each_time_small_and_without_foreign_parts(kind):
    drawn, again = (figures.draw_svg(FIGURES[kind], WIDE, "a") for _ in range(2))
    assert drawn == again and figures.draw_png(FIGURES[kind]) == figures.draw_png(FIGURES[kind])
    plain = style.save_svg(figures.plot_figure(FIGURES[kind]))
    assert len(drawn.inline) < 0.7 * len(plain)
    assert not re.search(r"clip-path|metadata|font-family|<!--|<style|xlink|DOCTYPE|dc:date", drawn.inline)
    assert "http" not in drawn.inline
    other = figures.draw_svg(FIGURES[kind], WIDE, "b").inline
    ids = [set(re.findall('id="([^"]*)"', text)) for text in (drawn.inline, other)]
    assert not ids[0] & ids[1]
    assert set(re.findall('href="#([^"]*)"', drawn.inline)) <= ids[0]


def test_opacity_keeps_its_decimals():
    inline = figures.draw_svg(FIGURES["heat"]).inline
    assert len(set(re.findall(r"fill-opacity: ?(0\.\d+)|[^-]opacity: ?(0\.\d+)", inline))) > 4


@pytest.mark.parametrize("kind", ["dots", "stacked", "tornado", "bars"])
def test_the_png_shows_the_colours_of_the_plot(kind):
    picture = Image.open(io.BytesIO(figures.draw_png(FIGURES[kind]))).convert("RGB")
    shown = {colour for _, colour in picture.getcolors(10**6)}
    for patch in figures.plot_figure(FIGURES[kind]).axes[0].patches:
        if patch.get_facecolor()[3] == 1:
            assert tuple(bytes.fromhex(to_hex(patch.get_facecolor())[1:])) in shown


def test_many_pngs_are_drawn_by_processes_as_one_process_draws_them():
    wanted = [(FIGURES["dots"], WIDE), (FIGURES["bars"], BROAD)] * 3
    assert figures.draw_pngs(wanted) == [figures.draw_png(*one) for one in wanted]


def test_all_numbers_of_a_plot_have_the_same_decimals():
    wide, narrow = Estimate(0.5, 0.4, 0.6, 90), Estimate(0.25, 0.249, 0.251, 10**6)
    rows_ = [{"label": "wide", "estimate": wide}, {"label": "narrow", "estimate": narrow}]
    inline = figures.draw_svg(model.make_dot_plot("d", "D", rows_, "rate", "rate")).inline
    assert "50.0 % (40.0 .. 60.0)<" in inline and "25.0 % (24.9 .. 25.1)<" in inline
    exact = replace(narrow, low=0.24999, high=0.25001)
    assert formatting.choose_common_decimals([exact, exact], "rate") == 2
    assert formatting.choose_common_decimals([exact, narrow], "rate") == 1
    assert formatting.choose_common_decimals([UNKNOWN], "rate") == 0


def test_dots_and_bars_stand_where_their_values_are():
    drawn = rows.plot_estimates(None, **FIGURES["dots"].data)
    dots = next(line for line in drawn.lines if line.get_marker() == "o")
    places = dict(zip((label.get_text() for label in drawn.get_yticklabels()), drawn.get_yticks(), strict=True))
    assert dots.get_xdata() == pytest.approx([42, 99, 0])
    first, long, last = dots.get_ydata()
    assert places["steady"] == first < places["the other half"] < long < places["expert"] == last
    whiskers = drawn.collections[0].get_segments()
    assert [list(ends[:, 0]) for ends in whiskers] == [pytest.approx(pair) for pair in ((37, 47), (94, 104), (-5, 5))]
    bars = [bar for bar in rows.plot_shares(None, **FIGURES["stacked"].data).patches if bar.get_width()]
    ends = sorted((bar.get_y(), bar.get_x(), bar.get_x() + bar.get_width()) for bar in bars)
    assert [end[1:] for end in ends] == [pytest.approx(pair) for pair in ((0, 50), (50, 100), (0, 3), (3, 4), (4, 100))]


def test_a_tornado_explains_its_colors_and_whiskers():
    drawn = rows.plot_tornado(None, **FIGURES["tornado"].data)
    legend = style.get_figure(drawn).legends[0]
    entries = {text.get_text(): handle for text, handle in zip(legend.get_texts(), legend.legend_handles, strict=True)}
    assert set(entries) == {"higher", "lower", "confidence interval"}
    for bar in (bar for bar in drawn.patches if bar.get_width() and bar.get_facecolor()[3]):
        name = "higher" if bar.get_width() > 0 else "lower"
        assert bar.get_facecolor() == entries[name].get_facecolor()
    assert list(drawn.collections[0].get_segments()[0][:, 0]) == pytest.approx([-36, -26])


def test_axes_of_values_begin_at_zero():
    far = some(7.0, 0.1)
    dots = rows.plot_estimates(None, [{"label": "x", "estimate": far}], "mean", "rounds")
    curve = {"name": "", "role": "a", "x": [1, 2, 3], "estimates": [far] * 3}
    lines = curves.plot_curves(None, [curve], "round", "hearts")
    for low, high in (dots.get_xlim(), lines.get_ylim()):
        assert low <= 0 < 7 < high


def test_cells_inside_the_target_have_a_frame_that_the_legend_explains():
    drawn = figures.plot_figure(FIGURES["heat"], BROAD)
    framed = [cell for cell in drawn.axes[0].patches if to_hex(cell.get_edgecolor()) == COLORS["frame"]]
    assert [(cell.get_x() + 0.48, cell.get_y() + 0.46) for cell in framed] == [(0, 1), (3, 1), (6, 1)]
    assert [text.get_text() for text in drawn.legends[0].get_texts()] == ["inside the target of 30 to 40 %"]


def test_a_number_that_is_counted_has_no_fractions_below_its_bars():
    drawn = figures.PLOTS["bars"](None, **EDGES["one bar"].data)
    with matplotlib.rc_context(style.STYLE):
        assert [tick for tick in drawn.get_xticks() if 3.5 < tick < 4.5] == [4]


def test_drawing_leaves_the_settings_of_matplotlib_alone():
    before = dict(matplotlib.rcParams)
    figures.draw_svg(FIGURES["dots"])
    assert dict(matplotlib.rcParams) == before


def test_a_plot_is_drawn_into_axes_that_are_given():
    figure = Figure(figsize=(9, 4))
    left, right = figure.subplots(1, 2)
    assert rows.plot_estimates(left, **FIGURES["dots"].data) is left and left.get_legend() is not None
    rows.plot_shares(right, **FIGURES["stacked"].data)
    assert figure.get_size_inches().tolist() == [9, 4] and right.patches
    assert ["".join(label.get_text().split()) for label in right.get_yticklabels()] == [LONG.replace(" ", ""), "b"]


def test_a_notebook_restyles_a_plot_in_a_line():
    results = hardmode.play("run_run_run/standard", games=200, threads=1)
    ax = hardmode.plot.endings(results)
    assert isinstance(ax, Axes)
    ax.set_title("How it ends", color="red", fontsize=20)
    shown = ax._repr_svg_()
    assert "How it ends" in shown and "#ff0000" in shown and ET.fromstring(shown) is not None
    for plot in (hardmode.plot.win_rates, hardmode.plot.lengths):
        assert crowded(plot(results).figure) == []
    shares = [count / 200 for count in results[0].tally.count_endings().values() if count]
    widths = [bar.get_width() for bar in ax.patches if bar.get_width()]
    assert widths == pytest.approx([100 * share for share in shares])


def test_a_machine_without_fonts_has_the_one_that_comes_along(caplog):
    assert style.STYLE["font.family"] == ["sans-serif", "DejaVu Sans"]
    assert findfont("DejaVu Sans").endswith("DejaVuSans.ttf")
    figures.draw_png(FIGURES["bars"])
    assert not caplog.records


def test_strange_letters_stop_nothing():
    figure = model.make_dot_plot(
        "d", "\u7b2c\x01 & <b>", [row("\U0001f409 $x$ \u05d0\u0628 \x07", 0.5)], "rate", "rate"
    )
    inline, filed = figures.draw_svg(figure)
    assert "&amp; &lt;b&gt;" in filed and "\x07" not in inline and "$x$" in inline
    assert ET.fromstring(filed) is not None and figures.draw_png(figure)[:4] == b"\x89PNG"
