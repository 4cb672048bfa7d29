"""Training, held to Pig's own Markov chain; and the files that it writes."""

import json
import re
import threading
from functools import cache

import pytest
from games.pig.test_pig_exact import first_wins, hold_at_20
from ruamel.yaml import YAML
from typer.testing import CliRunner

import hardmode
from hardmode import cli
from hardmode.scenarios.load import load_scenario
from hardmode.scenarios.strategy import StrategySpec
from hardmode.sim.files.yaml_io.errors import ScenarioError
from hardmode.sim.messages import show_messages
from hardmode.sim.play.backends import ThreadBackend
from hardmode.sim.play.player import StrategyError
from hardmode.strategies import player_file, registry
from hardmode.studies.core.progress import ignore_progress
from hardmode.studies.core.run import make_player
from hardmode.studies.training import certificate_check, optimizer, retrain_shipped
from hardmode.studies.training import train as study
from hardmode.studies.training.optimizer import TrainingRun
from hardmode.studies.training.result import ExistingPlayer
from hardmode.studies.training.train import TrainingError, train

GOAL = 100
NEVER = {"name": "hold_at", "weights": {"threshold": 95}}
BAD = {"game": "pig", "strategies": [{"name": "hold_at", "weights": {"threshold": 4}}, "steady"]}


def hold_at(n):
    return lambda mine, theirs, turn: turn >= n or mine + turn >= GOAL


@cache
def exact(n):
    """How often the first seat wins that holds at n, against one that holds at 20."""
    return first_wins(hold_at(n), hold_at_20)


@pytest.fixture(scope="module")
def found():
    return train(
        {"game": "pig", "strategies": [{"name": "hold_at", "weights": {"threshold": 8}}, "steady"]},
        generations=15,
        games=600,
        seed=4,
    )


def test_it_finds_the_best_of_a_family(found):
    best = max(range(12, 36), key=exact)
    reached = -int(-found.weights["threshold"] // 1)  # the turn that is worth so much is the first to hold
    assert exact(best) - exact(reached) < 0.004 < exact(best) - exact(8)
    assert found.is_better and found.seats == (0,) and found.game == "pig"


def test_what_it_says_is_true_on_luck_of_ones_own(found, tmp_path):
    reached = -int(-found.weights["threshold"] // 1)
    assert found.rate.low < exact(reached) < found.rate.high and found.start.low < exact(8) < found.start.high
    assert found.gain.low < exact(reached) - exact(8) < found.gain.high
    study.write_player(found, tmp_path / "mine.yaml")
    [again] = hardmode.play({"game": "pig", "strategies": [str(tmp_path / "mine.yaml"), "steady"]}, games=20_000)
    assert again.tally.count_wins_by_seat()[0] / 20_000 == pytest.approx(exact(reached), abs=0.014)


def test_the_same_seed_gives_the_same_file_on_any_number_of_threads(tmp_path):
    for threads in (1, 2):
        train("pig/classic", generations=2, games=100, seed=5, threads=threads, out=tmp_path / f"{threads}.yaml")
    one, two = ((tmp_path / f"{n}.yaml").read_text().replace(f'"{n}"', "") for n in (1, 2))
    assert one == two.replace("player: 2", "player: 1")
    train("pig/classic", generations=2, games=100, seed=6, out=tmp_path / "6.yaml")
    assert (tmp_path / "6.yaml").read_text().split("base")[1] != one.split("base")[1]


def test_a_gain_within_chance_is_not_kept(tmp_path):
    [best] = [max(range(12, 36), key=exact)]
    made = train(
        {"game": "pig", "strategies": [{"name": "hold_at", "weights": {"threshold": best}}, "steady"]},
        generations=2,
        games=100,
        out=tmp_path / "kept.yaml",
    )
    assert not made.is_better and made.weights == {"threshold": best}
    assert "not significantly better than the start" in str(made)
    assert player_file.read_player_file(tmp_path / "kept.yaml").weights == {"threshold": best}


def test_only_the_seat_that_is_asked_for_is_trained():
    made = train(
        {"game": "pig", "strategies": ["steady", {"name": "hold_at", "weights": {"threshold": 5}}]},
        generations=8,
        games=300,
        seat=2,
    )
    assert made.seats == (1,) and made.is_better and made.weights["threshold"] > 12
    assert made.start.value < 0.4 < made.rate.value


def test_weights_that_are_not_named_stay_and_ranges_hold():
    made = train("pig/classic", "keep_pace", generations=3, games=100, weights={"base": (18, 21), "race": None})
    assert made.trained_weights["share"] == 8.0 and 18 <= made.trained_weights["base"] <= 21
    assert made.trained_weights["race"] != 71.0


def test_a_grid_is_trained_together():
    made = train({"game": "pig", "sweep": {"target": [50, 100]}}, generations=2, games=100)
    assert made.games == 2 * 10 * 100 and made.evaluation.games == 2 * optimizer.FINAL_FACTOR * 50


@pytest.mark.parametrize("over", ["mean", "worst"])
def test_the_curve_of_a_grid_is_what_it_is_trained_for(over):
    """Who never holds wins next to no game to 100, but many to 3, where the first throw often does it."""
    grid = {"game": "pig", "sweep": {"target": [3, 100]}, "strategies": [NEVER, "steady"]}
    made = train(grid, generations=optimizer.PROGRESS_INTERVAL, games=100, weights={"threshold": (90, 100)}, over=over)
    [held] = made.curve.values()
    assert held < 0.25 if over == "worst" else 0.35 < held < 0.65


def test_a_range_beyond_the_limits_of_a_weight_is_refused():
    with pytest.raises(StrategyError, match="the weight plan_width is 0; it must lie between 1 and 1000"):
        train("vengeance/solo-medium", "planner", generations=1, games=20, weights={"plan_width": (0, 6)})


REFUSED = {
    "no weights": (dict(strategy="random"), "strategy random has no weights"),
    "an empty range": (dict(weights={"threshold": (30, 5)}), "the range of threshold, 30..5, is empty"),
    "a start outside": (dict(weights={"threshold": (30, 50)}), "threshold starts at 20, which is not in 30..50"),
    "an unknown weight": (dict(weights=["treshold"]), "no weight 'treshold'; there are threshold"),
    "too little time": (dict(seconds=0.01, games=20_000), "seconds are too few"),
    "no such seat": (dict(seat=3), "no seat 3"),
    "an unknown goal": (dict(goal="fame"), "a goal is one of win_rate, score, seat_share"),
    "another ending": (dict(out="p.json"), "ends with .yaml"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_trained_ends_in_a_line(case):
    how, said = REFUSED[case]
    with pytest.raises(TrainingError, match=said) as why:
        train("pig/classic", **{"generations": 1, **how})
    assert "\n" not in str(why.value)


def test_an_objective_that_never_varies_is_told(tmp_path):
    (tmp_path / "mine.py").write_text(
        "WEIGHTS = {'mine': {'unused': 3.0}}\n"
        "def mine(box, table, own, options, n, luck, weights):\n    return table.rolls >= 3\n"
    )
    with pytest.raises(TrainingError, match="no candidate plays better than another: each wins"):
        train("pig/classic", f"{tmp_path}/mine.py:mine", generations=3, games=50)


def test_a_game_without_decisions_is_told(monkeypatch):
    played = ThreadBackend.run_batch
    monkeypatch.setattr(ThreadBackend, "run_batch", lambda self, order: played(self, order)._replace(decisions=0))
    with pytest.raises(TrainingError, match="asks for no decision"):
        train("pig/classic", generations=1)


def test_when_it_is_interrupted_the_best_so_far_is_kept(monkeypatch, tmp_path):
    asked = threading.Event()
    monkeypatch.setattr(study, "handle_sigint", lambda: _held(asked))

    def told(what, share, pace=0.0):
        if what.startswith("generation 3"):
            asked.set()

    made = train(
        {"game": "pig", "strategies": [{"name": "hold_at", "weights": {"threshold": 4}}, "steady"]},
        generations=500,
        games=200,
        out=tmp_path / "cut.yaml",
        progress=told,
    )
    assert made.interrupted and made.generations == 3 and made.is_better and (tmp_path / "cut.yaml").exists()


def test_the_same_command_goes_on_to_the_file_that_it_would_have_written_at_once(monkeypatch, tmp_path):
    def trained_into(name, progress=ignore_progress):
        return train(BAD, generations=6, games=100, out=tmp_path / name, progress=progress)

    whole, asked, begun = trained_into("whole.yaml"), threading.Event(), []
    with monkeypatch.context() as cut:
        cut.setattr(study, "handle_sigint", lambda: _held(asked))
        first = trained_into("cut.yaml", lambda what, *_: asked.set() if what.startswith("generation 3") else None)
    assert first.interrupted and (tmp_path / "cut.training").exists() and not whole.interrupted
    monkeypatch.setattr(TrainingRun, "_play_generation", counted(TrainingRun._play_generation, begun))
    again = trained_into("cut.yaml")
    assert not again.interrupted and again.generations == 6 and len(begun) == 3
    one, two = (tmp_path / name for name in ("whole.yaml", "cut.yaml"))
    assert one.read_text().replace("whole", "it") == two.read_text().replace("cut", "it")
    assert not (tmp_path / "cut.training").exists()


def counted(function, calls):
    def count(*args):
        calls.append(1)
        return function(*args)

    return count


def test_a_file_that_still_plays_as_it_did_is_stamped_and_not_trained(tmp_path, monkeypatch):
    file = tmp_path / "mine.yaml"
    how = dict(generations=2, games=50, out=file)
    train(BAD, **how)
    text = file.read_text()
    assert "seconds" not in text
    file.write_text(other(text, "strategy"))
    kept = train(BAD, **how)
    assert isinstance(kept, ExistingPlayer) and file.read_text() == text
    file.write_text(other(text, "outcomes"))
    assert not isinstance(train(BAD, **how), ExistingPlayer) and file.read_text() == text
    assert not isinstance(train(BAD, **{**how, "generations": 1}), ExistingPlayer)
    with pytest.raises(TrainingError, match=r"holds a player of another training .* and is left alone"):
        train(BAD, seed=8, **how)


class _held:
    def __init__(self, asked):
        self.asked = asked

    def __enter__(self):
        return self.asked

    def __exit__(self, *_):
        pass


# -- player files -----------------------------------------------------------------------------------

PLAYER = "player: mine\ngame: pig\nbase: hold_at\nweights: {threshold: 9}\n"


@pytest.fixture
def mine(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(text=PLAYER, name="mine.yaml"):
        (tmp_path / name).write_text(text)
        return name

    return write


def won(*who, **more):
    [result] = hardmode.play({"game": "pig", "strategies": list(who), **more}, games=300)
    return result.outcome_digest


def test_a_player_file_is_a_name_like_any_other(mine):
    name, same = mine(), {"name": "hold_at", "weights": {"threshold": 9}}
    assert won(name) == won(same) != won("steady")
    assert won(f"search:2:{name}") == won({"search": "hold_at", "playouts": 2, "weights": {"threshold": 9}})
    assert won({"name": name, "slips": "30%"}) == won({**same, "slips": "30%"})
    assert won(mine(PLAYER + "slips: 30%\n", "s.yaml")) == won({**same, "slips": "30%"})
    assert won({"name": "s.yaml", "slips": "0%"}) == won(same)
    told = CliRunner().invoke(cli.app, ["run", "pig/classic", "--strategy", name, "--games", "20", "--json"])
    assert json.loads(told.stdout)["strategies"] == [name, name]


def test_a_player_file_is_looked_for_beside_the_scenario(mine, tmp_path):
    (tmp_path / "there").mkdir()
    mine(name="there/p.yaml")
    mine("game: pig\nstrategies: p.yaml\n", "there/a.yaml")
    assert hardmode.play("there/a.yaml", games=5)[0].strategies[0]["values"] == [9.0]


def test_players_that_ship_with_a_game_have_names(mine, tmp_path, monkeypatch):
    monkeypatch.setattr(player_file, "find_players_folder", lambda game: tmp_path)
    mine(name="trained.yaml")
    assert registry.create_player("pig", "trained").weights == (9.0,)
    assert "trained" in registry.list_strategies("pig") and registry.list_weights("pig")["trained"] == {
        "threshold": 9.0
    }
    made = train("pig/classic", "trained", generations=1, games=50, out="again.yaml")
    assert (
        made.start_weights == {"threshold": 9.0}
        and player_file.read_player_file(tmp_path / "again.yaml").base == "hold_at"
    )


def test_an_expert_is_search_on_top_of_whoever_was_trained(mine, tmp_path, monkeypatch):
    monkeypatch.setattr(player_file, "find_players_folder", lambda game: tmp_path)
    assert registry.create_player("pig", "expert").name == "search:48:steady"
    mine(name="trained.yaml")
    expert = registry.create_player("pig", "expert")
    assert (expert.name, expert.weights, expert.rollout_budget) == ("search:48:trained", (9.0,), 48)
    assert registry.list_strategies("pig")["expert"] == "search on top of trained, 48 playouts a decision"
    assert (
        registry.find_player_file("pig", "expert") == tmp_path / "trained.yaml"
    )  # whose note the expert's player reads
    monkeypatch.setattr(
        registry.load_shipped_module("pig"), "EXPERT", (16, "steady"), raising=False
    )  # a game may say otherwise
    expert = registry.create_player("pig", "expert")
    assert (expert.weights, expert.rollout_budget, expert.rollout_policy.name) == ((9.0,), 16, "steady")
    assert registry.list_strategies("pig")["expert"] == "search on top of trained, 16 playouts of steady a decision"


@pytest.mark.parametrize("name", ["random", "trained", "expert", "search"])
def test_what_means_the_same_in_every_game_is_not_written(name, monkeypatch):
    shipped = registry.load_shipped_module("pig")
    monkeypatch.setitem(shipped.STRATEGIES, name, shipped.STRATEGIES["steady"])
    with pytest.raises(StrategyError, match=rf"STRATEGIES\['{name}'\]: {name} means the same in every game"):
        registry.create_player("pig", "steady")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("player: mine\n", ""), "mine.yaml:1: player: is missing"),
        (("game: pig", "game: 3"), "mine.yaml:2: game: must be a text"),
        (("base: hold_at", "bose: hold_at"), "mine.yaml:3: bose: no such key; did you mean base"),
        (("{threshold: 9}", "{threshold: high}"), "mine.yaml:4: weights.threshold: must be a number"),
        (("weights", "slips: 120%\nweights"), "mine.yaml:4: slips: '120%' is not a share"),
        (("player: mine", "certificate: {seeds: 1}\nplayer: mine"), "mine.yaml:1: certificate.seeds: no such key"),
    ],
)
def test_a_wrong_player_file_is_refused_at_its_line(mine, change, said):
    mine(PLAYER.replace(*change))
    with pytest.raises(ScenarioError) as why:
        won("mine.yaml")
    assert str(why.value).startswith(said)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("{threshold: 9}", "{limit: 9}"), "has the weights limit, but strategy 'hold_at' now has threshold; train it"),
        (("hold_at", "nobody"), "pig has no strategy 'nobody'"),
        (("game: pig", "game: woodlands"), "mine.yaml: plays woodlands, not pig"),
        (("hold_at", "mine.yaml"), "its base 'mine.yaml' is a player itself"),
    ],
)
def test_a_player_that_does_not_fit_is_refused(mine, change, said):
    mine(PLAYER.replace(*change))
    with pytest.raises(StrategyError, match=said.replace(".", r"\.")):
        won("mine.yaml")


def other(text, part):
    """A player file as if a digest of it were another."""
    return re.sub(rf"(  {part}:) .*", r"\1 other", text)


def noted(name):
    certificate_check.warn_if_stale.cache_clear()
    found = []
    with show_messages(found.append):
        won(name)
    return found


def test_a_player_that_plays_otherwise_now_plays_with_a_note(mine, tmp_path):
    train("pig/classic", generations=1, games=50, out="t.yaml")
    text = (tmp_path / "t.yaml").read_text()
    assert noted("t.yaml") == []
    assert noted(mine(other(text, "strategy"), "rewritten.yaml")) == []  # other code, the same games
    assert noted(mine(other(text, "outcomes"), "lied.yaml")) == []
    [said] = noted(mine(other(other(text, "strategy"), "outcomes"), "old.yaml"))
    assert said == ("old.yaml: the strategy of pig changed since this player was trained, and it plays differently now")


def test_a_strategy_of_ones_own_is_trained_and_found_again(mine, tmp_path):
    mine(
        "WEIGHTS = {'mine': {'limit': 6.0}}\ndef mine(box, table, own, options, n, luck, weights):\n"
        "    return table.turn >= weights[0]\n",
        "mine.py",
    )
    (tmp_path / "out").mkdir()
    made = train("pig/classic", "mine.py:mine", generations=4, games=200, out="out/p.yaml")
    assert made.is_better and player_file.read_player_file(tmp_path / "out" / "p.yaml").base == "../mine.py:mine"
    assert registry.create_player("pig", "out/p.yaml").weights == (made.weights["limit"],)


def test_what_is_written_is_read_again_and_fits_its_schema(mine, tmp_path):
    import jsonschema

    made = train(load_scenario("pig/classic", slips=["10%"]), generations=1, games=50, out="t.yaml")
    read = player_file.read_player_file(tmp_path / "t.yaml")
    assert read.weights == made.weights and read.mistakes.rate == 0.1
    plain = json.loads(json.dumps(YAML(typ="safe", pure=True).load((tmp_path / "t.yaml").read_text())))
    jsonschema.Draft202012Validator(json.loads(player_file.SCHEMA.read_text())).validate(plain)
    assert player_file.SCHEMA.read_text() == player_file.make_player_schema()


def test_the_command_prints_its_json(mine):
    done = CliRunner().invoke(
        cli.app,
        [
            "train",
            "pig/classic",
            "--generations",
            "1",
            "--games",
            "50",
            "--weights",
            "threshold=10..40",
            "-o",
            "p.yaml",
            "--json",
        ],
    )
    told = json.loads(done.stdout)
    assert told["player"] == "p.yaml" and told["base"] == "steady" and set(told["weights"]) == {"threshold"}
    assert told["low"] <= told["rate"] <= told["high"] and 0 < told["start"]["rate"] < 1
    assert told["games"] == 500 and told["generations"] == 1 and told["seconds"] > 0


def test_a_recipe_may_begin_with_the_weights_of_an_earlier_training(monkeypatch, tmp_path):
    """The search begins there, and what it finds is measured against these weights."""
    asked = {}

    def note(scenarios, strategy, **terms):
        asked.update(terms, scenarios=scenarios, strategy=strategy)

    monkeypatch.setattr(retrain_shipped, "train", note)
    monkeypatch.setattr(retrain_shipped.discovery, "find_players_folder", lambda game: tmp_path)
    recipe = retrain_shipped.Recipe(base="hold_at", scenarios=["pig/classic"], generations=3, start={"threshold": 7.0})
    retrain_shipped.retrain_player("pig", "trained", recipe)
    assert asked["strategy"] == StrategySpec("hold_at", {"threshold": 7.0}) and asked["generations"] == 3
    assert make_player("pig", asked["strategy"]).weights == (7.0,)
