"""Calibration: turns made by the model with known numbers give these numbers back."""

from dataclasses import replace

import numpy as np
import pytest

from hardmode.sim.contract import Values
from hardmode.sim.games.trapwords.box import lognormal, minds_of, tastes_of
from hardmode.sim.games.trapwords.calibrate.__main__ import main
from hardmode.sim.games.trapwords.calibrate.fit import fit, spreads
from hardmode.sim.games.trapwords.calibrate.log import BadLog, TurnKind, moments, read_log
from hardmode.sim.games.trapwords.calibrate.model import Model, box_file, printed
from hardmode.sim.games.trapwords.names import MOST_SCENES, Filter, Trapper
from hardmode.sim.games.trapwords.traps import RANKS, hazards, trap_list

VALUES = {path: leaf["value"] for path, leaf in printed(box_file()).items()}
NAMES = {0: "success", 1: "trap", 2: "invalid", 3: "guesses", 4: "timer"}
KINDS = [TurnKind(k, "obvious", giver) for k in (3, 5, 7) for giver in ("naive", "cautious")]


def observed(truth, turns, seed):
    """Turns played by the model at known numbers, with a luck of their own for each kind."""
    return {kind: Model([kind], VALUES, turns, 100 * seed + i).practise(kind, truth) for i, kind in enumerate(KINDS)}


@pytest.mark.parametrize("kappa, control", [(0.40, 0.75), (0.62, 0.92)])
def test_known_numbers_are_found_again(kappa, control):
    truth = {"turn.kappa": kappa, "giver.cautious.control": control}
    seen = {kind: moments(p.rows[0], p.success_seconds, p.rows[3]) for kind, p in observed(truth, 4000, 77).items()}
    found = fit(seen, turns=20_000)
    for path, value in truth.items():
        assert 0 < found.errors[path] < 0.05
        assert found.values[path] == pytest.approx(value, abs=max(4 * found.errors[path], 0.02))
    assert not found.at_limit and found.chi_square < 3 * found.moments


def library_of(number, turns, truth):
    """Turns that were played with other scenes than those of the fit, as a table's are."""
    return Model(KINDS, VALUES, turns, seed=5, library=number).moments(truth)


@pytest.mark.parametrize("number", [101, *(pytest.param(number, marks=pytest.mark.soak) for number in (102, 103))])
def test_the_errors_hold_for_turns_with_words_and_people_of_their_own(number):
    """Of so many turns the model's own library is the greater part of the error, half of it in self control."""
    truth = {"turn.kappa": 0.6, "giver.cautious.control": 0.8}
    found = fit(library_of(number, 40_000, truth), turns=20_000)
    assert found.errors["giver.cautious.control"] > 0.003  # .002 by the turns alone
    for path, value in truth.items():
        assert abs(found.values[path] - value) < 3 * 2**0.5 * found.errors[path]  # two libraries, each with its error
    assert found.chi_square < 2 * found.moments


@pytest.mark.plain
def test_errors_of_the_turns_and_of_the_library_add_up():
    """One number, two figures that both move by 2 with it; the turns' errors are independent, the library's not."""
    slopes, seen = np.array([[2.0], [2.0]]), np.array([0.3, 0.3])
    together = np.array([[0.4, 0.4], [-0.4, -0.4]])
    turns, library = 0.3 / 2 / 2**0.5, 0.4 * 2**0.5 / 2
    assert spreads(slopes, seen, 0 * together) == pytest.approx([turns])
    assert spreads(slopes, 0 * seen, together) == pytest.approx([library])
    assert spreads(slopes, seen, together) == pytest.approx([np.hypot(turns, library)])


@pytest.mark.plain
def test_another_library_is_other_scenes_of_the_same_laws():
    values = Values({**VALUES, "model.scenes": 400})
    minds, tastes = minds_of(values, 3), tastes_of(values)
    for trapper in Trapper:
        first, second = (hazards(replace(minds, first=k * MOST_SCENES), tastes, trapper, 5) for k in (0, 1))
        assert (first == hazards(minds, tastes, trapper, 5)).all()
        for taste in (Filter.ANY, Filter.SHY, Filter.FAR, Filter.PLAIN):
            a, b = first[taste].astype(float), second[taste].astype(float)
            assert (a != b).mean() > 0.8
            assert a.mean() == pytest.approx(b.mean(), abs=5 * np.hypot(a.std(), b.std()) / 20)


def test_people_of_different_skill_give_the_clues():
    """The model's figures are those of average people whose skill spreads, not those of the average person."""
    spread, kind = 0.4, TurnKind(3, "obvious", "naive")
    model = Model([kind], {**VALUES, "turn.skill": spread}, 40_000)
    people = [
        Model([kind], {**VALUES, "turn.skill": 0.0, "team_a.kappa": float(skill)}, 40_000)
        for skill in lognormal(16, spread)
    ]
    mean = np.mean([one.moments({})[kind].value["success"] for one in people])
    alike = Model([kind], {**VALUES, "turn.skill": 0.0}, 40_000).moments({})[kind].value["success"]
    found = model.moments({})[kind].value["success"]
    assert found == pytest.approx(mean, abs=0.004) and alike > found + 0.006


def test_a_log_turn_by_turn(tmp_path, capsys):
    lines = ["length,giver,cause,seconds,guesses"]
    for kind, played in observed({"turn.kappa": 0.45}, 300, 5).items():
        for cause, tenths, _, guesses in played.rows.T.tolist():
            lines.append(f"{kind.length},{kind.giver},{NAMES[cause]},{tenths / 10},{guesses}")
    log, out = tmp_path / "observed.csv", tmp_path / "fitted.yaml"
    log.write_text("\n".join(lines))
    seen = read_log(log)
    assert set(seen) == set(KINDS) and all(s.turns == 300 and len(s.value) == 5 for s in seen.values())
    assert main([str(log), "--fit", "turn.kappa", "--turns", "3000", "--out", str(out)]) == 0
    assert "chi-square" in capsys.readouterr().out
    from hardmode.scenarios.load import create_variant

    rules = dict(line.split("#")[0].strip().split(": ") for line in out.read_text().splitlines()[1:])
    fitted = {path: float(value) for path, value in rules.items()}
    assert fitted["turn.kappa"] == pytest.approx(0.45, abs=0.1)
    assert (
        create_variant("trapwords", rules={**fitted, "switches.turns": "odds"}).values["turn.kappa"]
        == fitted["turn.kappa"]
    )


def test_a_log_of_shares(tmp_path):
    log = tmp_path / "rates.csv"
    log.write_text("length,turns,success,trap,seconds\n3,200,0.55,0.85,\n5,180,0.47,,12.5\n7,150,0.41,0.93,\n")
    seen = read_log(log)
    assert seen[TurnKind(3)].value == {"success": 0.55, "trap": 0.85}
    assert set(seen[TurnKind(5)].value) == {"success", "seconds"}
    assert seen[TurnKind(3)].error["success"] == pytest.approx((0.55 * 0.45 / 200) ** 0.5)
    found = fit(seen, turns=5000)
    assert found.values["turn.kappa"] == pytest.approx(0.5, abs=0.15)  # made from the default figures
    assert found.values["giver.cautious.control"] == pytest.approx(0.85, abs=0.1)
    assert "rules:\n  turn.kappa: 0." in found.rules()


@pytest.mark.parametrize(
    "text, message",
    [
        ("length,cause\n", "no line"),
        ("length,seconds\n3,1\n", "needs a column `cause`"),
        ("length,cause\n0,trap\n", ":2: length"),
        ("length,cause\n3,trapp\n", ":2: cause"),
        ("length,cause,giver\n3,trap,shy\n", ":2: giver"),
        ("length,cause,seconds\n3,success,x\n", ":2: seconds"),
        ("length,turns,success\n3,10,1.2\n", ":2: needs"),
        ("length,turns,success\n3,10,.5\n3,10,.6\n", ":3: this kind"),
    ],
)
def test_bad_logs_are_refused(tmp_path, text, message):
    log = tmp_path / "bad.csv"
    log.write_text(text)
    with pytest.raises(BadLog, match=message):
        read_log(log)
    assert main([str(log)]) == 2


def test_ways_may_be_written_as_strategies_are(tmp_path):
    log = tmp_path / "rates.csv"
    log.write_text("length,trappers,turns,success\n3,personal_anticipate,200,0.55\n")
    assert set(read_log(log)) == {TurnKind(3, "personal anticipate")}


def test_what_cannot_be_fitted():
    seen = {TurnKind(3): moments(np.array([0, 1, 1, 0]), np.array([]), np.array([]))}
    with pytest.raises(BadLog, match="cannot be fitted"):
        fit(seen, ["turn.guesses"])
    with pytest.raises(BadLog, match="cannot settle"):
        fit(seen, ["turn.kappa", "turn.theta", "turn.timer", "turn.sentence"])


@pytest.mark.plain
@pytest.mark.parametrize("policy", [Trapper.OBVIOUS, Trapper.COVER, Trapper.ANTICIPATE])
def test_trappers_who_think_of_hardly_a_word_name_a_whole_list_all_the_same(policy):
    """However often they think, a word or two is all that they think of; the likeliest others come last."""
    minds = replace(minds_of(Values(VALUES), 3), scenes=20, own_mind=0.0, exponent=(20.0,) * 5)
    found = trap_list(minds, policy, 9)
    assert found.shape == (20, 9) and all(len(set(row)) == 9 for row in found) and found.max() < RANKS
