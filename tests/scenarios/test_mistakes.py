"""`mistakes` in scenarios, and its old name `slips`, which works wherever `mistakes` does."""

from pathlib import Path

import pytest

from hardmode.scenarios.load import create_variant, load_scenario
from hardmode.scenarios.strategy import parse_strategy
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.strategies.mistakes import MistakeModel
from hardmode.strategies.player_file import format_player_file, read_player_file

pytestmark = pytest.mark.usefixtures("hill")
WORDS = ("mistakes", "slips")
FORMS = [  # with {} for the word
    "{}: 20%\n",
    "{}: [20%, 5%:beginner]\n",
    "strategies: {{name: steady, {}: 20%}}\n",
    "strategies: [{{name: steady, {}: 50%}}, steady]\n{}: 7%\n",
    "sweep: {{{}: [0%, 10%, [20%, 0%]]}}\n",
    "sweep: {{strategies: [steady, {{name: steady, {}: 30%}}]}}\n",
    "sweep: {{{}: [0%, 10%], boss.hp: [3, 4]}}\nexpect: {{order: {{path: {}, order: 0% > 10%}}}}\n",
]


def scenario(text, file="mine.yaml"):
    Path(file).write_text("game: hill\nplayers: 2\n" + text)
    return load_scenario(file)


def describe(found):
    expect = found.expect.order if found.expect else None
    return [(cell.digests, cell.label, cell.strategies) for cell in found.cells], found.sweep, expect


def refuse(act):
    with pytest.raises(ScenarioError) as error:
        act()
    return str(error.value)


@pytest.mark.parametrize("form", FORMS)
def test_both_words_make_the_same_scenario(form):
    new, old = (scenario(form.format(word, word)) for word in WORDS)
    assert describe(new) == describe(old)
    assert any(spec.mistakes for cell in new.cells for spec in cell.strategies)


def test_digests_and_labels_are_as_they_always_were():
    [cell] = scenario("mistakes: 20%:beginner\n").cells
    assert cell.digests["scenario"] == scenario("slips: 20%:beginner\n").cells[0].digests["scenario"]
    assert cell.strategies[0].canonical_form == ["steady", "", False, None, [], "20%:beginner"]
    swept = scenario("sweep: {mistakes: [0%, 10%]}\n")
    assert [c.label for c in swept.cells] == [{"slips": 0.0}, {"slips": 0.1}] and swept.sweep == ("slips",)
    assert [c.label_text for c in swept.cells] == ["0% slips", "10% slips"]


def test_pigs_digest_with_slips_is_that_of_earlier_versions():
    [cell] = load_scenario({"game": "pig", "players": 2, "mistakes": "20%"}).cells
    assert cell.digests == {"box": "6bd4da9831b4fd25", "scenario": "1410f2d03a828346"}


@pytest.mark.parametrize("word", WORDS)
def test_both_words_in_python(word):
    given = {word: ["20%", "5%:beginner"]}
    wanted = [MistakeModel(0.2), MistakeModel(0.05, "beginner")]
    assert [s.mistakes for s in create_variant("hill", 2, **given).strategies] == wanted
    scenario("")
    assert [s.mistakes for s in load_scenario("mine.yaml", **given).cells[0].strategies] == wanted
    assert parse_strategy({"name": "steady", word: 0.2}).mistakes == MistakeModel(0.2)
    [cell] = load_scenario({"game": "hill", "players": 2, word: ["20%", "5%:beginner"]}).cells
    assert [s.mistakes for s in cell.strategies] == wanted


def test_mistakes_of_a_variant_leave_those_that_strategies_have():
    cell = create_variant("hill", 2, strategies=[{"name": "steady", "slips": "50%"}, "steady"], mistakes=["7%"])
    assert [s.mistakes.rate for s in cell.strategies] == [0.5, 0.07]


@pytest.mark.parametrize("base", WORDS)
@pytest.mark.parametrize("own", WORDS)
def test_both_words_where_a_scenario_extends_another(base, own):
    scenario(f"{base}: 20%\nsweep: {{boss.hp: [3, 4]}}\n", "base.yaml")
    [a, b] = scenario(f"extends: base.yaml\n{own}: 7%\n").cells
    assert a.strategies[0].mistakes == b.strategies[0].mistakes == MistakeModel(0.07)
    scenario(f"sweep: {{{base}: [1%, 2%]}}\n", "base.yaml")
    assert [c.label for c in scenario(f"extends: base.yaml\nsweep: {{{own}: [3%]}}\n").cells] == [{"slips": 0.03}]
    [cell] = scenario(f"extends: base.yaml\n{own}: 7%\n").cells
    assert cell.label == {} and cell.strategies[0].mistakes == MistakeModel(0.07)


@pytest.mark.parametrize("word", WORDS)
def test_what_is_wrong_is_said_at_its_line(word):
    message = "mine.yaml:3: mistakes[0]: '200%' is not a share of decisions from 0% to 100%; "
    assert refuse(lambda: scenario(f"{word}: 200%\n")).startswith(message)
    message = "mine.yaml:4: sweep.mistakes[1][0]: '200%' is not a share"
    assert refuse(lambda: scenario(f"sweep:\n  {word}: [1%, 200%]\n")).startswith(message)
    scenario("")
    message = f"--set: {word}: cannot be set; use --mistakes"
    assert refuse(lambda: load_scenario("mine.yaml", [f"{word}=20%"])) == message
    assert refuse(lambda: load_scenario("mine.yaml", **{word: ["2"]})).startswith("--mistakes: mistakes[0]: '2' is not")


def test_one_of_both_words_is_enough():
    both = "is the old name of `mistakes`; give only one of them"
    assert refuse(lambda: scenario("mistakes: 1%\nslips: 2%\n")) == f"mine.yaml:4: slips: {both}"
    text = "sweep: {mistakes: [1%], slips: [2%]}\n"
    assert refuse(lambda: scenario(text)) == f"mine.yaml:3: sweep.slips: {both}"
    text = "strategies: {name: steady, mistakes: 1%, slips: 2%}\n"
    assert "'slips' is the old name of 'mistakes'; give only one of them" in refuse(lambda: scenario(text))


@pytest.mark.parametrize("word", WORDS)
def test_both_words_in_a_player_file(word):
    text = "player: a\ngame: hill\nbase: steady\nweights: {}\n"
    Path("a.yaml").write_text(f"{text}{word}: 20%:beginner\n")
    player = read_player_file(Path("a.yaml"))
    assert player.mistakes == MistakeModel(0.2, "beginner")
    assert 'slips: "20%:beginner"' in format_player_file(player)
    Path("b.yaml").write_text(f"{text}{word}: 200%\n")
    assert refuse(lambda: read_player_file(Path("b.yaml"))).startswith(f"b.yaml:5: {word}: '200%' is not a share")
