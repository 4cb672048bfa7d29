"""The page in a browser: it opens without a complaint or a request, fits every width, and its tables sort."""

import html
import json
import re
import shutil
import subprocess
import tempfile

import numpy as np
import pytest

from hardmode.reports.page import print_edition, report
from hardmode.scenarios.load import load_scenario
from hardmode.sim.contract import WINNERS
from hardmode.sim.play.workspace import Workspace, allocate_rows
from hardmode.studies.core import run
from hardmode.studies.stats import estimates
from tests.reports.toy import making

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(not BROWSER, reason="there is no chromium on the PATH")

# The page in a frame of its own width, so that it is laid out as on a screen that narrow.
FRAME = """<!doctype html><title>test</title><iframe id="f" style="border:0;width:1400px;height:3000px"
srcdoc="{page}"></iframe><pre id="answer"></pre><script>
const frame = document.getElementById("f");
frame.addEventListener("load", async () => {{
  const page = frame.contentDocument, view = frame.contentWindow, answer = {{}};
  try {{ {code} }} catch (error) {{ answer.error = String(error); }}
  document.getElementById("answer").textContent = JSON.stringify(answer);
}});
</script>"""
WIDTHS = """
for (const d of page.querySelectorAll("details")) d.open = true;
for (const width of [320, 390, 768, 1100, 1248, 1400, 2400]) {
  frame.style.width = width + "px";
  await new Promise((done) => setTimeout(done, 50));
  const out = [...page.querySelectorAll("main *:not(.scroll *):not(pre):not(svg *), nav *")]
    .filter((e) => e.getBoundingClientRect().right > width + 0.5).map((e) => e.tagName + "." + e.className);
  const [nav, main] = ["nav", "main"].map((name) => page.querySelector(name).getBoundingClientRect());
  const root = page.documentElement;
  answer[width] = {wide: root.scrollWidth - root.clientWidth, out: out.slice(0, 5),
    over: nav.right > main.left + 1 && nav.bottom > main.top + 1 && nav.top < main.bottom};
}
answer.requests = view.performance.getEntriesByType("resource").map((e) => e.name);
"""
SORTING = """
const table = page.querySelector("#lantern-home-table-ladder table");
const column = (i) => [...table.tBodies[0].rows].map((r) => r.cells[i].textContent);
const heads = [...table.tHead.rows[0].cells];
answer.before = column(0);
for (const [name, i] of [["strategy", 0], ["games", 1], ["won", 2]]) {
  answer[name] = [];
  for (let press = 0; press < 2; press += 1) {
    heads[i].querySelector("button").click();
    answer[name].push({values: column(i), names: column(0), sort: heads.map((h) => h.getAttribute("aria-sort"))});
  }
}
const endings = page.querySelector("#lantern-home-table-endings table");
endings.tHead.rows[0].cells[3].querySelector("button").click();
const last = () => [...endings.tBodies[0].rows].at(-1).cells[3].textContent;
answer.unknown = [last()];
endings.tHead.rows[0].cells[3].querySelector("button").click();
answer.unknown.push(last());
"""
FILTER = """
const box = page.querySelector("#lantern-grid-table-variants");
const field = box.querySelector("input.filter"), rows = [...box.querySelectorAll("tbody tr")];
field.value = "wolf THIN";
field.dispatchEvent(new view.Event("input"));
answer.left = rows.filter((row) => !row.hidden).map((row) => row.textContent);
answer.count = [box.querySelector(".count").textContent, rows.length];
answer.few = page.querySelectorAll("#lantern-home-table-ladder input").length;
"""
EXPLORE = """
const box = page.querySelector("#lantern-grid .explorer");
answer.hidden = box.hidden;
box.open = true;
for (let i = 0; i < 100 && !box.querySelector(".answer")?.textContent; i += 1)
  await new Promise((done) => setTimeout(done, 20));
const say = () => ({...box.querySelector(".answer").dataset, text: box.querySelector(".answer").textContent,
  sides: [...box.querySelectorAll("fieldset")].map((side) => side.textContent)});
answer.begin = say();
const fields = page.querySelectorAll("#lantern-grid-plot-grid svg .tip");
fields[3].dispatchEvent(new view.MouseEvent("click", {bubbles: true}));
fields[11].dispatchEvent(new view.MouseEvent("click", {bubbles: true}));
answer.picked = say();
answer.tips = [3, 11].map((i) => fields[i].querySelector("title").textContent);
const slider = box.querySelector("input[type=range]");
slider.value = 1 - slider.value;
slider.dispatchEvent(new view.Event("input"));
answer.slid = say();
fields[3].dispatchEvent(new view.PointerEvent("pointermove", {bubbles: true, clientX: 40, clientY: 40}));
const bubble = page.querySelector("#tip");
answer.bubble = bubble.hidden ? "" : bubble.textContent;
"""
SIZES = """
for (const width of [390, 1400]) {
  frame.style.width = width + "px";
  await new Promise((done) => setTimeout(done, 50));
  const scale = (s) => s.getBoundingClientRect().width / s.viewBox.baseVal.width;
  answer[width] = [...page.querySelectorAll("svg")].filter((s) => s.getClientRects().length).map(scale);
}
answer.over = [];
for (const svg of [...page.querySelectorAll("svg")].filter((s) => s.getClientRects().length)) {
  const box = svg.getBoundingClientRect();
  for (const text of svg.querySelectorAll("text")) {
    const t = text.getBoundingClientRect();
    if (t.left < box.left - 3 || t.right > box.right + 3 || t.top < box.top - 3 || t.bottom > box.bottom + 3)
      answer.over.push([text.textContent, t.left - box.left, t.right - box.right]);
  }
}
"""


@pytest.fixture(scope="module", autouse=True)
def _toy():
    with making.toy():
        yield


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return making.make(tmp_path_factory.mktemp("page") / "all", "lantern/home", "lantern/grid", "pig/classic")


def browse(url, *more):
    with tempfile.TemporaryDirectory() as profile:
        return subprocess.run(
            [
                BROWSER,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--disable-sync",
                "--disable-background-networking",
                "--disable-component-update",
                f"--user-data-dir={profile}",
                "--enable-logging=stderr",
                "--virtual-time-budget=4000",
                *more,
                "--dump-dom",
                url,
            ],
            capture_output=True,
            text=True,
            timeout=900,
        )


def ask(page, tmp_path, code):
    """What code that looks at the page, in a frame, answers."""
    wrapper = tmp_path / "frame.html"
    wrapper.write_text(FRAME.format(page=html.escape(page.read_text()), code=code))
    shown = browse(wrapper.as_uri()).stdout
    answer = json.loads(html.unescape(re.search(r'<pre id="answer">(.*?)</pre>', shown, re.S)[1]))
    assert "error" not in answer, answer
    return answer


def test_it_opens_without_a_complaint(page):
    done = browse(page.as_uri())
    assert not [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    assert "How hard is it?" in done.stdout and done.stdout.count("<svg") == page.read_text().count("<svg")


def test_a_complaint_would_be_seen(tmp_path):
    wrong = tmp_path / "wrong.html"
    wrong.write_text("<script>nothing.there()</script>")
    assert "CONSOLE" in browse(wrong.as_uri()).stderr


def test_it_fits_every_width_and_asks_for_nothing(page, tmp_path):
    answer = ask(page, tmp_path, WIDTHS)
    assert answer.pop("requests") == []
    assert len(answer) == 7
    for width, found in answer.items():
        assert found == {"wide": 0, "out": [], "over": False}, width


def test_tables_sort_both_ways_by_value_not_by_letters(page, tmp_path):
    answer = ask(page, tmp_path, SORTING)
    assert answer["before"] == ["random", "beginner", "steady", "expert"]
    up, down = answer["strategy"]
    assert up["values"] == sorted(up["values"]) and down["values"] == up["values"][::-1]
    assert [up["sort"][0], down["sort"][0]] == ["ascending", "descending"]
    up, down = answer["games"]
    numbers = [int(v.replace(",", "")) for v in up["values"]]
    assert numbers == sorted(numbers) and len(set(numbers)) == 3
    up, down = answer["won"]
    rates = [float(v.split(" ")[0]) for v in up["values"]]
    assert rates == sorted(rates) and [float(v.split(" ")[0]) for v in down["values"]] == rates[::-1]
    assert up["sort"] == [None, None, "ascending", *up["sort"][3:]]
    assert answer["unknown"] == ["–", "–"]  # what is not known stays at the end


def test_plots_keep_their_words_inside_and_can_be_read(page, tmp_path):
    answer = ask(page, tmp_path, SIZES)
    assert answer["over"] == []
    assert min(answer["1400"]) > 0.95  # at their own size
    assert min(answer["390"]) > 0.75  # 12 pixel letters stay above 9


def test_a_long_table_is_filtered_by_words(page, tmp_path):
    answer = ask(page, tmp_path, FILTER)
    assert 0 < len(answer["left"]) < answer["count"][1] and answer["few"] == 0
    assert all("wolf" in row and "thin" in row for row in answer["left"])
    assert answer["count"][0] == f"{len(answer['left'])} of {answer['count'][1]} rows"


def test_two_cells_of_a_grid_are_laid_side_by_side_by_the_games_they_share(page, tmp_path):
    answer = ask(page, tmp_path, EXPLORE)
    cells = [run.make_engine(cell) for cell in load_scenario("lantern/grid").cells]
    won = np.array([_won(made, 400) for made in cells])
    level = estimates.bonferroni_level(0.95, len(cells) * (len(cells) - 1) // 2)
    assert not answer["hidden"] and answer["begin"]["a"] != answer["begin"]["b"]
    for name in ("begin", "picked", "slid"):
        a, b = (won[int(answer[name][side])] for side in "ab")
        both, only_b, only_a = int((a & b).sum()), int((b & ~a).sum()), int((a & ~b).sum())
        right = estimates.newcombe_paired_difference(both, only_b, only_a, 400 - both - only_a - only_b, level)
        for key in ("value", "low", "high"):
            assert float(answer[name][key]) == pytest.approx(getattr(right, key), abs=1e-9), name
    assert answer["picked"]["text"].startswith("B less A: ") and answer["bubble"] == answer["tips"][0]
    for side, tip in zip(answer["picked"]["sides"], answer["tips"], strict=True):
        assert re.search(r"[\d.]+ % \([\d.]+ .. [\d.]+\)", tip)[0] in side
    assert answer["slid"]["a"] != answer["picked"]["a"] and answer["slid"]["b"] == answer["picked"]["b"]


def _won(made, games):
    rows = allocate_rows(made.game, games)
    made.play(Workspace(made.game), 1, 0, games, rows)
    return np.asarray(rows)[WINNERS] != 0


def test_the_short_edition_and_the_long_ones_print_are_of_two_pages_a_scenario_at_most(tmp_path):
    for edition in (report.Edition(short=True, pdf=True), report.Edition(pdf=True)):
        folder = tmp_path / str(edition.short)
        report.write_report(
            [load_scenario("lantern/home")], run.Effort(200, threads=1), folder, seconds=None, edition=edition
        )
        pages = print_edition.count_pages((folder / "report.pdf").read_bytes())
        assert 1 <= pages <= 2


def test_a_page_that_takes_too_many_sheets_is_printed_smaller():
    """Chromium prints a list that is a little longer than a sheet: at the usual size it takes two."""
    lines = "".join(f"<p style='margin:0;height:20px'>{i}</p>" for i in range(57))
    page = f"<html><head></head><body>{lines}</body></html>"
    assert print_edition.count_pages(print_edition.print_to_pdf(page, 2)) == 2
    assert print_edition.count_pages(print_edition.print_to_pdf(page, 1)) == 1
