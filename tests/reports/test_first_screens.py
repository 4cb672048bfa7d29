"""The page begins with three screens for each game; all else is folded, and opens for print and for links."""

import re
from itertools import pairwise

import pytest

from hardmode.reports.page import html, model, print_edition, report
from hardmode.reports.page.chapters import hardness, more_time, proposals
from hardmode.reports.page.chapters.scenario import make_scenario_chapter
from hardmode.scenarios.load import load_scenario
from hardmode.studies.core import run
from hardmode.studies.core.progress import ignore_progress
from hardmode.studies.report_run import runner
from hardmode.studies.report_run.parts import SLOW_SKILL_LEVELS
from hardmode.studies.report_run.precomputed import PRECOMPUTED_FIELDS, load_precomputed
from hardmode.studies.sensitivity.levers import is_lever, rank_levers
from hardmode.studies.stats import estimates
from tests.reports.test_report_page import BROWSER, browse
from tests.reports.toy import making

PLAYED = ("cells", "skill_levels", SLOW_SKILL_LEVELS, "sensitivity")
SCREENS = ["how-hard", "hard", "what-to-do"]
needs_browser = pytest.mark.skipif(not BROWSER, reason="there is no chromium on the PATH")


@pytest.fixture(scope="module", autouse=True)
def _toy():
    with making.toy():
        yield


def play(name, games, shares=None):
    return runner.play_report(load_scenario(name), run.Effort(games, threads=1), None, ignore_progress, shares)


@pytest.fixture(scope="module", params=report.list_standard_scenarios())
def shipped(request):
    """What the page shows first; with current studies of the scenario, also what they found."""
    shares = [*PLAYED, *PRECOMPUTED_FIELDS] if load_precomputed(load_scenario(request.param), 0.95).seconds else PLAYED
    return play(request.param, 500, dict.fromkeys(shares, 0.1))


@pytest.fixture(scope="module")
def home():
    return play("lantern/home", 400)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return making.make(tmp_path_factory.mktemp("screens") / "page", "lantern/home", "pig/classic")


def is_empty(section):
    parts = (section.sentences, section.figures, section.tables, section.stories, section.notes, section.proposals)
    return not any(parts)


# -- the content ------------------------------------------------------------------------------------


def test_every_shipped_game_begins_with_its_three_screens(shipped):
    chapter = make_scenario_chapter(shipped)
    assert [section.name for section in chapter.screens] == SCREENS
    assert [section.name for section in chapter.sections[:3]] == SCREENS
    hard, todo = chapter.screens[1:]
    assert [figure.name for figure in hard.figures][:2] == ["ladder", "endings-by-strategy"]
    assert hard.bar and sum(share for _, share in hard.bar.parts) == pytest.approx(1)
    assert "by chance" in chapter.facts[0][2] and (todo.proposals or todo.hints)
    if shipped.precomputed_seconds:
        assert "with other plausible numbers" in [name for name, _, _ in chapter.facts]
        assert len(todo.proposals) == 3 and hard.figures[2].name == "strongest"


def test_the_third_screen_names_the_strongest_levers_or_how_to_find_them(home):
    made = proposals.make_proposals_section(home)
    assert [p.title for p in made.proposals] == ["Bite wolf", "Bite owl", "Bite bear"]
    assert made.proposals[0].command == "hardmode solve lantern/home --target win_rate=47.5% --by bite.wolf"
    assert all(not estimate.low <= 0 <= estimate.high for p in made.proposals for _, estimate in p.effects)
    analysis, home.sensitivity = home.sensitivity, None
    try:
        [(_, command)] = proposals.make_proposals_section(home).hints
    finally:
        home.sensitivity = analysis
    assert command == "hardmode sensitivity lantern/home --seconds 300"


def test_a_list_of_names_moves_in_words():
    from hardmode.reports.console.sensitivity import format_step
    from hardmode.studies.sensitivity.paired_effects import ParameterEffect, PerturbedParameter

    def step(before, after):
        return format_step(ParameterEffect(PerturbedParameter("x", before, after)))

    assert step(["cat", "dog"], ["cat", "cat"]) == "[cat, dog] to [cat, cat]"
    assert step([1, 2], [2, 3]) == "each +1"


def test_what_is_proposed_can_be_turned_and_solved(shipped):
    from hardmode.studies.core.reference_players import with_trained
    from hardmode.studies.solve.design_variables import parse_design_variables
    from hardmode.studies.solve.targets import parse_targets

    levers = rank_levers(shipped.sensitivity)
    proposed = proposals.make_proposals_section(shipped).proposals
    by_path = {lever.path: lever for lever in levers}
    assert all(is_lever(lever.parameter) and not lever.path.startswith(("setup.", "switches.")) for lever in levers)
    strongest = [max(abs(effect.magnitude) for effect in lever.effects) for lever in levers]
    assert strongest == sorted(strongest, reverse=True)
    cell = with_trained(shipped.first_cell)
    target = proposals.format_target_option(shipped, shipped.sensitivity)
    assert parse_targets([target], cell, 0.01)
    for proposal in proposed:
        path = proposal.command.rpartition(" ")[2]
        assert path in by_path
        [variable] = parse_design_variables([path], shipped.scenario, cell)
        assert len(variable.values) > 1
        assert not re.search(r"[_\[\]]", proposal.title)
        assert all(estimate.low <= estimate.value <= estimate.high for _, estimate in proposal.effects)


def test_no_section_is_empty_or_asks_for_time(shipped, home):
    for survey in (shipped, home):
        for section in make_scenario_chapter(survey).sections:
            assert not is_empty(section), section.name
            assert "no time" not in " ".join(section.sentences)


def test_one_place_says_what_more_time_would_add(home):
    section = more_time.make_more_time_section(home)
    [(_, additions)] = section.notes
    assert any(re.fullmatch(r"Enough games with experts for a win rate \(now \d+ games\)\.", x) for x in additions)
    before = len(additions)
    luck, home.luck = home.luck, None
    try:
        assert len(more_time.make_more_time_section(home).notes[0][1]) == before + 1
        assert "luck" not in [s.name for s in make_scenario_chapter(home).sections]
    finally:
        home.luck = luck


def test_too_few_games_are_not_shown_beside_many(home):
    few = home.skill_levels["expert"].result.games
    chapter = make_scenario_chapter(home)
    hard = chapter.screens[1]
    assert few < 100
    for figure in hard.figures[:2]:
        assert "expert" not in [row["label"] for row in figure.data["rows"]]
    table = next(t for s in chapter.details for t in s.tables if t.name == "ladder")
    assert few in [row["games"] for row in table.rows]


def test_skill_and_luck_are_the_squared_correlation_of_winning_with_the_player(home):
    weak, strong = (home.metric.estimate_win_rate(home.skill_levels[x].tally) for x in ("beginner", "steady"))
    bar = hardness.make_skill_bar(home)
    gap, mean = strong.value - weak.value, (strong.value + weak.value) / 2
    skill = gap**2 / 4 / (mean * (1 - mean))
    assert dict(bar.parts)["skill"] == pytest.approx(skill) and dict(bar.parts)["luck"] == pytest.approx(1 - skill)


def test_blue_is_for_wins_and_orange_for_losses_in_the_whole_chapter(shipped):
    meanings: dict[str, set[str]] = {"a": set(), "a2": set(), "b": set()}
    endings = shipped.scenario.game.all_endings
    won = {endings[i] for i in shipped.total_tally.find_winning_endings()} if not shipped.metric.competitive else set()
    for section in make_scenario_chapter(shipped).sections:
        for figure in section.figures:
            if figure.kind in ("stacked", "lines", "bars"):
                for series in figure.data["series"]:
                    meanings.setdefault(series["role"], set()).add(series["name"])
    assert meanings["b"] <= {"games lost"}
    assert meanings["a"] | meanings["a2"] <= {"games won", *won, ""}


def test_what_is_true_by_itself_does_not_lead():
    """That nobody was downed, or that hardly any game is won after an event, explains nothing."""
    from hardmode.reports.page.chapters.causes import _is_trivial

    def row(label, wins):
        return {"label": label, "value": estimates.wilson_rate(wins, 1000)}

    assert _is_trivial(row("none", 500), True) and _is_trivial(row("not revealed", 500), True)
    assert _is_trivial(row("xylia", 0), True) and _is_trivial(row("xylia", 1000), True)
    assert not _is_trivial(row("xylia", 300), True) and not _is_trivial(row("xylia", 0), False)


# -- the page ---------------------------------------------------------------------------------------


def test_only_three_screens_are_open_and_all_else_is_folded(page):
    tree = making.parsed(page)
    screens = len(SCREENS)
    for name in ("lantern-home", "pig-classic"):
        sections = next(n for n in tree.by_id(name).all("div") if n.attributes.get("class") == "sections")
        kinds = [n.tag for n in making.elements(sections)]
        assert kinds[: screens + 1] == [*["section"] * screens, "h3"]
        assert set(kinds[screens + 1 :]) == {"details"} and len(kinds) > screens + 7
        assert not any("open" in n.attributes for n in making.elements(sections))


def test_landmarks_headings_and_table_heads_serve_a_screen_reader(page):
    tree = making.parsed(page)
    [root] = tree.all("html")
    assert root.attributes["lang"] == "en"
    assert len(list(tree.all("main"))) == len(list(tree.all("nav"))) == 1
    levels = [int(n.tag[1]) for n in tree.all() if re.fullmatch(r"h\d", n.tag)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(following <= level + 1 for level, following in pairwise(levels))
    ids = {n.attributes["id"] for n in tree.all() if "id" in n.attributes}
    for n in tree.all():
        assert n.attributes.get("aria-labelledby", "") in {"", *ids}
    for table in tree.all("table"):
        assert table.attributes["aria-label"]
        assert all(th.attributes["scope"] in ("col", "row") for th in table.all("th"))


def test_the_page_shows_the_first_rows_and_names_the_file_with_all(page):
    shown = making.parsed(page).by_id("lantern-home-table-commands")
    file = page.parent / "tables" / "lantern-home" / "commands.csv"
    assert len(list(next(shown.all("tbody")).all("tr"))) == 3
    rows = len(file.read_text().splitlines()) - 1
    assert rows > 3 and f"All {rows} rows are in tables/lantern-home/commands.csv." in shown.text


@needs_browser
def test_a_link_into_a_folded_part_opens_it(page):
    tree = browse(f"{page.as_uri()}#lantern-home-table-endings").stdout
    opened = re.findall(r'<details class="([a-z ]*)"[^>]* open=""[^>]*>', tree)
    assert [kind for kind in opened if kind.startswith("part")] == ["part long"]
    assert 'id="lantern-home-table-endings" open=""' in tree


@needs_browser
def test_folded_parts_are_printed_without_a_script():
    css = (html.TEMPLATES / "page.css").read_text()
    lines = "".join(f"<p style='height:20px'>{i}</p>" for i in range(150))
    part = f"<details class='part column'><summary><h3>Part</h3></summary><section>{lines}</section></details>"
    page = f"<html><head><style>{css}</style></head><body><main>{part}</main></body></html>"
    assert print_edition.count_pages(print_edition.print_to_pdf(page, 9)) > 1
    without = page.replace("::details-content", "::marker")
    assert print_edition.count_pages(print_edition.print_to_pdf(without, 9)) == 1


@needs_browser
def test_folding_moves_nothing_while_the_page_loads(page):
    """The browser counts every shift of what is visible, also at the width of a phone."""
    observe = (
        "<script>window.shifts=0;new PerformanceObserver((l)=>{for(const e of l.getEntries())shifts+=e.value})"
        ".observe({type:'layout-shift',buffered:true});"
        "addEventListener('load',()=>setTimeout(()=>{document.title='shift '+shifts},1500))</script></head>"
    )
    for width in (390, 1400):
        watched = page.with_name(f"watched-{width}.html")
        text = page.read_text().replace("</head>", observe, 1)
        watched.write_text(text)
        tree = browse(watched.as_uri(), f"--window-size={width},900").stdout
        assert "<title>shift 0</title>" in tree, width


def test_a_chapter_finds_its_screens_and_what_is_related():
    first = model.Section("one", "One", related=("two", "gone"))
    second = model.Section("two", "Two", is_folded=True)
    chapter = model.Chapter("a/b", "A", "A", "", ["A."], [], [first, second])
    assert chapter.screens == [first] and chapter.details == [second]
    assert chapter.get_related(first) == [second] and chapter.get_related(second) == []


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("setup.bosses[0]", "boss"),
        ("setup.heroes[1]", "hero"),
        ("setup.boards[2]", "board"),
        ("setup.bosses", "bosses"),
        ("setup.enraged_boss", "enraged boss"),
    ],
)
def test_one_item_of_a_list_is_named_as_one(path, words):
    from hardmode.reports.console.wording import format_path_end

    assert format_path_end(path) == words


def test_components_and_numbers_are_named_in_words():
    from hardmode.reports.console.wording import format_path
    from hardmode.reports.page.chapters.causes import _make_row

    assert format_path("boss.bone_general.hearts") == "boss bone general hearts"
    assert format_path("switches.kept_dice") == "kept dice"
    known = estimates.wilson_rate(5, 10)
    names = [_make_row(group, label, 10, known, known, "")["name"] for group, label in
             (("boss (now any)", "boss 2"), ("boss (now any)", "don zemun"), ("players (now 2)", "1"))]
    assert names == ["boss 2", "boss don zemun", "1 player"]


def test_a_group_of_few_games_is_not_described():
    from types import SimpleNamespace

    from hardmode.reports.console.decided import describe_decision_points
    from hardmode.reports.page.chapters import decided

    groups = {"all": range(24), "won": range(20), "lost": range(4)}
    rate = estimates.wilson_rate(5, 10)
    analysis = SimpleNamespace(
        groups=groups,
        cell=SimpleNamespace(game=SimpleNamespace(unit="rounds")),
        estimate_median_decision_round=lambda group: rate,
        estimate_median_length=lambda group: rate,
        estimate_share_dragging=lambda group: rate,
    )
    assert decided._list_groups(analysis) == ["all", "won"]
    [sentence] = describe_decision_points(analysis, decided.MIN_GAMES)
    assert sentence.startswith("Half of the won games") and len(describe_decision_points(analysis)) == 2
