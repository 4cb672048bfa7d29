"""Tables of played games: what is read of them, and what is refused where it stands."""

import pandas as pd
import pytest
from typer.testing import CliRunner

from hardmode.cli import app
from hardmode.reports.new import write_new_file
from hardmode.scenarios.load import ScenarioError, load_scenario
from hardmode.sim.contract import ROUNDS
from hardmode.studies.playtests import records

CELL = load_scenario("pig/classic").cells[0]
HEAD = "date,group,won,rounds,rolls,target,notes"
ROWS = [["2026-01-31", "us", "yes", "12", "70", "", "fun"], ["", "", "no", "", "", "80", ""], [""] * 7]


def written(folder, text, name="plays.csv"):
    file = folder / name
    file.write_text(text)
    return file


def table(sep=","):
    return "\n".join(sep.join(cells) for cells in [HEAD.split(","), *ROWS]) + "\n"


def files(folder):
    frame = pd.DataFrame(ROWS, columns=HEAD.split(","))
    written(folder, table())
    written(folder, "\ufeff" + table(";"), "semicolons.csv")
    frame.to_excel(folder / "plays.xlsx", index=False)
    frame.to_parquet(folder / "plays.parquet")
    written(folder, "- {date: 2026-01-31, group: us, won: yes, rounds: 12, rolls: 70, notes: fun}\n"
                    "- {won: no, target: 80}\n", "plays.yaml")
    return sorted(folder.iterdir())


def test_every_kind_of_file_says_the_same(tmp_path):
    found = {file.name: records.load_play_records(file, CELL)[0] for file in files(tmp_path)}
    assert len(found) == 5
    for name, (first, second) in found.items():
        assert (first.won, first.group, str(first.day), first.numbers[ROUNDS]) == (True, "us", "2026-01-31", 12), name
        assert first.numbers[CELL.game.columns.index("rolls")] == 70 and not first.settings
        assert (second.won, second.numbers, second.settings) == (False, {}, (("target", 80),)), name
    assert str(found["plays.csv"][1].place).endswith("plays.csv:3")
    assert list(records.group_by_settings(found["plays.csv"])) == [(), (("target", 80),)]


@pytest.mark.parametrize("text, said", [
    ("won,rouns\nyes,3\n", r"plays.csv:1: column 'rouns': no such column; did you mean rounds"),
    ("won\nmaybe\n", r"plays.csv:2: won: 'maybe' is neither yes nor no"),
    ("won,rounds\nyes,3\n\nno,99999\n", r"plays.csv:4: rounds: '99999' is not a number of rounds from 0 to 5,000"),
    ("ending\nfirst player win\n", r"plays.csv:2: ending: there is no .*did you mean first player wins"),
    ("won,players\nyes,7\n", r"plays.csv:2: players: '7' is not possible: 1, 2"),
    ("won,date\nyes,yesterday\n", r"plays.csv:2: date: 'yesterday' is not a date"),
    ("won,won\nyes,no\n", r"plays.csv:1: column 'won': occurs twice"),
    ("won\nyes,no\n", r"plays.csv:2: has 2 cells, but the header has 1"),
    ("won,rounds\n", "contains no played game"), ("", "contains no played game"),
    ("won,score 2,players\nyes,30,1\n", "score 2: seat 2 is empty in a game of 1 player"),
    ("won,seat,players\nyes,2,1\n", "seat: '2' is not a seat from 1 to 1"),
    ("won,seat,score\nyes,2,80\n", "score: is that of seat 1; say whose it is, as in score 2"),
    ("rounds,ROUNDS \n3,3\n4,5\n", r"plays.csv:3: ROUNDS: '5' contradicts another column of the same meaning"),
    ("won,target,target \nyes,50,60\n", "column 'target': occurs twice"),
    ("won,players,setup.players\nyes,1,2\n", "setup.players: '2' contradicts another column"),
    ("won,Won\nyes,no\n", "plays.csv:2: Won: 'no' contradicts another column of the same meaning"),
    ("won,seat,SEAT\nyes,1,2\n", "plays.csv:2: SEAT: '2' contradicts another column"),
    ("ending,Ending\n0,1\n", "plays.csv:2: Ending: '1' contradicts another column"),
    ("won,date,Date\nyes,2026-01-31,2026-02-01\n", "plays.csv:2: Date: '2026-02-01' contradicts another column"),
    ("won,group,Group\nyes,us,them\n", "plays.csv:2: Group: 'them' contradicts another column"),
    ("won,rolls\nyes,nan\n", "rolls: 'nan' is not a number"), ("won,rolls\nyes,1.5\n", "'1.5' is not a whole number")])
def test_what_is_impossible_is_said_where_it_stands(tmp_path, text, said):
    with pytest.raises(ScenarioError, match=said.replace("plays.csv:", r"plays\.csv:")):
        records.load_play_records(written(tmp_path, text), CELL)


@pytest.mark.parametrize("name, text, said", [
    ("run_run_run/standard", "won,hero 1\nyes,99\n", "hero 1: there is no '99'; there are"),
    ("run_run_run/standard", "won,seat\nyes,2\n", "seat: all seats win together in this game; leave this column out"),
    ("run_run_run/standard", "won,hero\nyes,zoe\n", "column 'hero': no such column; did you mean hero 1?"),
    ("run_run_run/standard", "won,hero 4\nyes,0\n", "hero 4: seat 4 is empty in a game of 2 players"),
    ("vengeance/solo-medium", "won,score 1,score 2\nyes,20,12\n", "score 2: seat 2 is empty in a game of 1 player")])
def test_what_no_seat_can_have_is_refused(tmp_path, name, text, said):
    with pytest.raises(ScenarioError, match=said):
        records.load_play_records(written(tmp_path, text), load_scenario(name).cells[0])


def test_seats_are_those_of_the_row(tmp_path):
    """Where a row says how many played; and an empty seat may have nothing."""
    found = records.load_play_records(written(tmp_path, "won,players,seat,score 2\nyes,2,2,80\nno,1,1,0\n"),
                       load_scenario("pig/classic").cells[0])[0]
    assert [(p.won, p.numbers[CELL.game.columns.index("score 2")]) for p in found] == [(False, 80), (False, 0)]


def test_columns_that_mean_nothing_are_told(tmp_path):
    _, unread = records.load_play_records(written(tmp_path, "won,zzzzzz\nyes,3\n"), CELL)
    assert len(unread) == 1 and "column 'zzzzzz' is ignored" in unread[0]


@pytest.mark.parametrize("name, text", [("plays.txt", "won\nyes\n"), ("plays.xlsx", "PK no"), ("plays.parquet", "no"),
                                        ("plays.yaml", "won: yes"), ("none.csv", None)])
def test_a_file_that_is_none_is_refused_in_a_line(tmp_path, name, text):
    if text is not None:
        written(tmp_path, text, name)
    with pytest.raises(ScenarioError) as why:
        records.load_play_records(tmp_path / name, CELL)
    assert "\n" not in str(why.value)


@pytest.mark.parametrize("name", ["run_run_run/standard", "woodlands/classic", "vengeance/solo-medium",
                                  "trapwords/standard", "pig/classic"])
def test_a_new_table_has_columns_that_are_all_read(name, tmp_path):
    cell = load_scenario(name).cells[0]
    write_new_file("plays", name, tmp_path / "new.csv")
    head = (tmp_path / "new.csv").read_text().strip()
    columns = records.RecordColumns(cell)
    meant, unread = columns.resolve_columns(head.split(","), None)
    assert not unread and len(meant) == len(head.split(",")) > 5
    assert "already exists" in str(CliRunner().invoke(app, ["new", "plays", name, "-o", str(tmp_path / "new.csv")]
                                                        ).exception)


def play_and_read(folder, name, *options):
    """Play twelve games with `run --rows` and return their rows as results and as plays."""
    rows = folder / "rows"
    done = CliRunner().invoke(app, ["run", name, "--games", "12", "--rows", str(rows), *options])
    assert done.exit_code == 0, done.output
    frame = pd.concat(pd.read_parquet(file) for file in sorted(rows.glob("*.parquet")))
    return frame, rows


@pytest.mark.parametrize("name", ["run_run_run/standard", "woodlands/classic", "vengeance/solo-medium",
                                  "trapwords/standard"])
def test_rows_of_simulated_games_are_read(tmp_path, name):
    frame, rows = play_and_read(tmp_path, name)
    cell = load_scenario(name).cells[0]
    plays, _ = records.load_play_records(rows, cell)
    assert [p.ending for p in plays] == list(frame["ending"])
    assert [p.won for p in plays] == [bool(winners & 1) for winners in frame["winners"]]
    assert [p.numbers[ROUNDS] for p in plays] == list(frame["rounds"])
    for factor in (m.name for m in cell.game.measures if m.factor and not m.per_seat):
        column = cell.game.columns.index(factor)
        assert [p.factors.get(column, -1) for p in plays] == list(frame[factor])
    file = sorted(rows.glob("*.parquet"))[0]
    assert records.load_play_records(file, cell)[0][0].ending == plays[0].ending, "also a file of its own"


def test_rows_say_which_numbers_were_changed(tmp_path):
    _, rows = play_and_read(tmp_path, "pig/classic", "--set", "target=40")
    plays, _ = records.load_play_records(rows, CELL)
    assert {p.settings for p in plays} == {(("target", 40),)}


def test_rows_of_another_game_or_without_their_origin_are_refused(tmp_path):
    _, rows = play_and_read(tmp_path, "pig/classic")
    with pytest.raises(ScenarioError, match="holds games of pig, not of trapwords"):
        records.load_play_records(rows, load_scenario("trapwords/standard").cells[0])
    with pytest.raises(ScenarioError, match="holds no rows of games"):
        records.load_play_records(tmp_path, CELL)
    (rows / "rows.json").write_text("{}")
    with pytest.raises(ScenarioError, match="missing or damaged"):
        records.load_play_records(rows, CELL)


@pytest.mark.parametrize("name", ["run_run_run/standard", "woodlands/classic", "vengeance/solo-medium",
                                  "trapwords/standard", "pig/classic"])
def test_a_replayed_game_is_read(tmp_path, name):
    _, rows = play_and_read(tmp_path, name)
    done = CliRunner().invoke(app, ["replay", name, "--game", "5", "--json"])
    cell = load_scenario(name).cells[0]
    (play,), _ = records.load_play_records(written(tmp_path, done.stdout, "game.json"), cell)
    same = records.load_play_records(rows, cell)[0][5]
    assert (play.won, play.ending, play.numbers[ROUNDS]) == (same.won, same.ending, same.numbers[ROUNDS])
    assert all(same.numbers.get(column, value) == value for column, value in play.numbers.items())
    with pytest.raises(ScenarioError, match="is not a whole game as `hardmode replay --json` prints it"):
        records.load_play_records(written(tmp_path, done.stdout[:-200], "game.json"), cell)
