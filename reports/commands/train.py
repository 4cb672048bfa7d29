"""The command `train`: tune the weights of a player."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hardmode.reports.cli_types import integer_between, number_between, parse_game_count
from hardmode.reports.commands.common import (
    format_scenario_arguments,
    load_scenario_with_notes,
    print_json,
    stop_if_interrupted,
)
from hardmode.reports.commands.options import (
    MAX_SEED,
    BoxOption,
    DetailsOption,
    JsonOption,
    MistakesOption,
    PlayersOption,
    SetOption,
    ThreadsOption,
)
from hardmode.sim.files.text import MAX_PLAYOUTS


def train_player(
    scenarios: Annotated[
        list[str],
        typer.Argument(
            metavar="SCENARIO...",
            help="Scenario files or shipped names. With several scenarios of one game, the player "
            "is trained for all of them together.",
        ),
    ],
    base: Annotated[
        str | None,
        typer.Option(
            "--strategy",
            metavar="NAME",
            help="The strategy whose weights are tuned. (default: the scenario's own strategy)",
        ),
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            metavar="weights|values",
            help="What is learned: the weights of the strategy, or the value of positions, by "
            "which the player then searches on top of the strategy.",
        ),
    ] = "weights",
    trials: Annotated[
        int,
        typer.Option(
            help="With --method values, how many trials the player makes at each decision, or of "
            "each option if the game declares TURN_FIELDS. Few are enough where a single die is "
            "rolled.",
            parser=integer_between(1, MAX_PLAYOUTS),
            metavar="N",
        ),
    ] = 256,
    rounds: Annotated[
        int,
        typer.Option(
            help="With --method values, for how many rounds rollouts of the strategy go on before "
            "the player judges positions. (default: it judges them after each option)",
            parser=integer_between(0, 1000),
            metavar="N",
            show_default=False,
        ),
    ] = 0,
    seconds: Annotated[
        float | None,
        typer.Option(
            help="How long to train, in seconds. (default: 60)",
            parser=number_between(0.1, 10**7),
            metavar="S",
        ),
    ] = None,
    generations: Annotated[
        int | None,
        typer.Option(
            help="The number of generations of the training, instead of --seconds.",
            parser=integer_between(1, 10**6),
            metavar="N",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            parser=parse_game_count,
            metavar="N",
            help="The number of games of each candidate in a generation; with --method values, of "
            "a generation. (default: 400, or 1,500 with --method values)",
        ),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(
            help="The seed of the training. The same seed trains the same player.",
            parser=integer_between(0, MAX_SEED),
            metavar="N",
        ),
    ] = 1,
    seat: Annotated[
        int,
        typer.Option(
            help="The seat that is trained, in games in which seats compete.",
            parser=integer_between(1, 99),
            metavar="N",
        ),
    ] = 1,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The strategy at all other seats, in games in which seats compete. The answer "
            "shows how far it can be exploited. (default: the scenario's own strategies)",
        ),
    ] = None,
    weights: Annotated[
        str,
        typer.Option(
            metavar="NAME,...",
            help="The weights to tune; all others stay. NAME=LOW..HIGH keeps a weight within a "
            "range.",
        ),
    ] = "",
    goal: Annotated[
        str,
        typer.Option(
            metavar="win_rate|score|seat_share",
            help="What the training maximizes: games won, the score, or the share of all wins.",
        ),
    ] = "win_rate",
    over: Annotated[
        str,
        typer.Option(
            metavar="mean|worst",
            help="How the cells of a grid are combined: by their mean, or by the worst of them.",
        ),
    ] = "mean",
    sets: SetOption = None,
    mistakes: MistakesOption = None,
    players: PlayersOption = None,
    box: BoxOption = None,
    threads: ThreadsOption = 0,
    out: Annotated[
        Path,
        typer.Option(
            "-o",
            "--out",
            metavar="FILE",
            help="The player file to write. If training is interrupted, the same command "
            "continues it.",
        ),
    ] = Path("player.yaml"),
    details: DetailsOption = False,
    as_json: JsonOption = False,
) -> None:
    """Tune the weights of a player, and measure them in games that it was not trained on.

    The answer also names weights without any effect, estimates how much the player is overfit
    and, in games in which seats compete, the share of games won head to head.

    With --method values, the player learns what positions are worth from games that it plays
    itself, in turns with learning. It then takes the option after which it expects most.

    Example: [bold]hardmode train run_run_run/standard --seconds 60 -o mine.yaml[/bold]
    """
    from hardmode.reports.console import train as console
    from hardmode.reports.progress_bar import show_progress
    from hardmode.studies.training import train

    loaded = [
        load_scenario_with_notes(scenario, sets, None, players, mistakes, box)
        for scenario in scenarios
    ]
    with show_progress(f"training for {loaded[0].title}") as step:
        training = train.train(
            loaded,
            base,
            seconds=seconds,
            generations=generations,
            games=games,
            seed=seed,
            seat=seat,
            weights=train.parse_weight_ranges(weights),
            goal=goal,
            over=over,
            threads=threads,
            out=out,
            progress=step,
            method=method,
            trials=trials,
            rounds=rounds,
            against=against,
        )
    if as_json:
        from hardmode.reports.json.train import build_train_answer

        answer = build_train_answer(training, out)
        answer.summary = console.describe_training(training, out)
        print_json("train", answer)
    else:
        arguments = format_scenario_arguments(scenarios[0], sets, None, players, mistakes, box)
        console.print_training(training, out, arguments, details)
    stop_if_interrupted(training)
