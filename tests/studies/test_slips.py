"""Slips, from what somebody writes to what is played, kept and told."""

import json

import pytest
from typer.testing import CliRunner

import hardmode
from hardmode import cli
from hardmode.scenarios.load import load_scenario
from hardmode.scenarios.strategy import MistakeModel, StrategySpec
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.studies.core.run import play
from hardmode.studies.core.saved_results import reproduce_result_file
from hardmode.studies.gate import accept

GAMES = 400


def told(*words):
    done = CliRunner().invoke(cli.app, [str(w) for w in words])
    assert done.exit_code == 0, done.output or done.exception
    return json.loads(done.stdout)


def run(*words):
    return told("run", "pig/classic", "--games", GAMES, "--json", *words)


def pig(**said):
    return load_scenario({"game": "pig", **said})


def slips(cell):
    return [s.mistakes for s in cell.strategies]


def test_no_slips_are_none_and_nothing_but_slips_is_random():
    plain, none = run(), run("--slips", "0%")
    assert plain["outcome_digest"] == none["outcome_digest"] and plain["digests"] == none["digests"]
    assert run("--slips", "100%")["outcome_digest"] == run("--strategy", "random")["outcome_digest"]
    by_beginner = run("--slips", "100%:beginner")["outcome_digest"]
    assert by_beginner == run("--strategy", "beginner")["outcome_digest"]
    assert run("--slips", "30%")["outcome_digest"] not in (plain["outcome_digest"], by_beginner)


def test_the_json_says_who_slips():
    found = run("--slips", "20%", "--slips", "0%")
    assert found["players"] == [
        {"seat": 1, "strategy": "steady", "slips": 0.2},
        {"seat": 2, "strategy": "steady", "slips": 0.0},
    ]
    assert found["strategies"] == ["steady", "steady"]
    assert found["seats"][0]["share"] < 0.4


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ({"slips": "20%"}, [MistakeModel(0.2)] * 2),
        ({"slips": 0.2}, [MistakeModel(0.2)] * 2),
        ({"slips": ["20 %", "5%:beginner"]}, [MistakeModel(0.2), MistakeModel(0.05, "beginner")]),
        ({"strategies": [{"name": "steady", "slips": "20%"}, "steady"]}, [MistakeModel(0.2), None]),
        (
            {"strategies": [{"name": "steady", "slips": "20%"}, "steady"], "slips": "7%"},
            [MistakeModel(0.2), MistakeModel(0.07)],
        ),
    ],
)
def test_the_forms_of_slips(said, found):
    assert slips(pig(**said).cells[0]) == found


def test_a_sweep_of_slips_makes_cells_and_the_command_line_settles_it():
    swept = pig(sweep={"slips": ["0%", "10%", ["20%", "0%"]]}, strategies=[{"name": "steady", "slips": "50%"}])
    assert [cell.label["slips"] for cell in swept.cells] == [0.0, 0.1, "20% and 0%"]
    assert [cell.label_text for cell in swept.cells] == ["0% slips", "10% slips", "20% and 0% slips"]
    assert slips(swept.cells[2]) == [MistakeModel(0.2), MistakeModel(0.0)]
    assert len({cell.digests["scenario"] for cell in swept.cells}) == 3
    settled = load_scenario({"game": "pig", "sweep": {"slips": ["0%", "10%"]}}, slips=["30%"])
    assert [slips(cell) for cell in settled.cells] == [[MistakeModel(0.3)] * 2]
    both = pig(sweep={"strategies": ["steady", "beginner"], "slips": ["0%", "10%"]})
    assert [cell.label["strategies"] for cell in both.cells] == ["steady", "steady", "beginner", "beginner"]


def test_an_order_of_slips_may_be_written_as_shares_or_percent():
    for order in ("0% > 10%", "0.0 > 0.1"):
        found = pig(sweep={"slips": ["0%", "10%"]}, expect={"order": order}).expect.order
        assert found[0].path == "slips" and found[0].values == ("0.0", "0.1")


@pytest.mark.parametrize("wrong", ["120%", "20", "-5%", "often", True, "nan", "10%:search", "5%:search:8:steady"])
def test_what_is_no_share_is_refused_in_a_line(wrong):
    with pytest.raises(ScenarioError, match=r"mistakes.*(not a share|not a search)") as why:
        pig(slips=wrong)
    assert "\n" not in str(why.value)
    if isinstance(wrong, str):
        with pytest.raises(ScenarioError, match="--mistakes"):
            load_scenario("pig/classic", slips=[wrong])


def test_slips_for_more_seats_than_there_are_are_refused():
    with pytest.raises(ScenarioError, match="there are 3 mistakes for 2 seats"):
        pig(slips=["1%", "2%", "3%"])
    with pytest.raises(ScenarioError, match="there are 3 mistakes for 2 strategies"):
        pig(slips=["1%", "2%", "3%"], strategies=["steady", "steady"])


def test_another_slip_is_another_player_in_every_digest():
    cells = [pig(slips=share).cells[0] for share in ("0%", "10%", "20%", "20%:beginner")]
    for digests in (
        [cell.digests["scenario"] for cell in cells],
        [accept.compute_digests(cell)["strategies"] for cell in cells],
    ):
        assert len(set(digests)) == 4
    assert accept.compute_digests(cells[0]) == accept.compute_digests(load_scenario("pig/classic").cells[0])


def test_a_kept_result_is_gone_on_with_and_reproduced_with_its_slips(tmp_path):
    file = tmp_path / "kept.json"
    slipping = load_scenario("pig/classic", slips=["25%:beginner"])
    play(slipping, games=100, out=file)
    [kept] = play(slipping, games=150, out=file)
    assert kept.strategies[0]["slips"] == 0.25 and kept.strategies[0]["careless"] == "beginner"
    [checked] = reproduce_result_file(file)
    assert checked.is_same and checked.games == 150
    with pytest.raises(Exception, match="holds another result"):
        play(load_scenario("pig/classic", slips=["26%:beginner"]), games=150, out=file)
    assert "steady with 25% slips of beginner" in str(hardmode.play(slipping, games=20))


def test_a_comparison_and_a_replay_take_slips():
    found = told("compare", "pig/classic", "--slips-b", "40%", "--slips-b", "0%", "--games", 2000, "--json")
    assert found["high"] < 0 and found["b"]["strategies"] == [
        str(StrategySpec("steady", mistakes=MistakeModel(0.4))),
        "steady",
    ]
    one, two = (told("replay", "pig/classic", "--json", *words) for words in ((), ("--slips", "100%")))
    assert one[1]["strategy"] == "steady" and two[1]["strategy"] == "steady with 100% slips" and one != two
