"""Checks of options, components and numbers that make no difference, and of loopholes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log

import numpy as np

from hardmode.scenarios.dependencies import find_unmet_needs
from hardmode.scenarios.load import StrategySpec
from hardmode.scenarios.parameter import format_yaml_value
from hardmode.scenarios.variant import DEFAULT_STRATEGY
from hardmode.sim.play.engine import Engine
from hardmode.strategies import registry
from hardmode.studies.audit.context import AuditContext
from hardmode.studies.audit.findings import Finding, format_point_change
from hardmode.studies.choices import components
from hardmode.studies.choices.analysis import (
    ALWAYS,
    ChoiceAnalysis,
    OptionEffect,
    RestrictionRunner,
    analyze_choices,
    list_option_labels,
    measure_frequencies,
)
from hardmode.studies.core.progress import ignore_progress
from hardmode.studies.sensitivity.analysis import MAX_GAMES, analyze_sensitivity
from hardmode.studies.sensitivity.paired_effects import ParameterEffect, PerturbedParameter
from hardmode.studies.sensitivity.steps import list_step_values
from hardmode.studies.stats.bounds import PairedBounds
from hardmode.studies.stats.estimates import Estimate

NEGLIGIBLE = 0.01  # of win rate
MIN_OFFERED_GAMES = 0.05  # share of games in which an option must occur to be judged
MIN_TAKE_RATE = 0.9  # of an option that is always right
MAX_UNCHANGED_GAMES = 0.01  # share of games that a component may change and still be unused
MAX_UNSEEN_GAMES = 0.02  # share of games in which a component may occur and still be unused
MAX_DEAD_GAMES = 0.03  # share of games that a number may change and still be dead
MAX_LOOPHOLE_OPTIONS = 40
POINTS = "points of win rate"
GAMES = "share of games"
RatedOption = tuple[OptionEffect, Estimate]


def check_options(context: AuditContext) -> Iterator[Finding]:
    """Search for kinds of options that are not needed or always right, and for unused content."""
    if not context.game.labels:
        return
    context.checked_kinds.extend(["never-worth-taking", "always-worth-taking"])
    effort = context.effort.override(games=context.games or MAX_GAMES)
    budget = context.budget
    analysis = analyze_choices(context.cell, effort, budget.seconds, context.progress)
    frequencies = analysis.own_frequencies
    tests = max(1, len(analysis.played_effects))
    n_open, judged = 0, 0
    useless: dict[tuple[int, ...], list[RatedOption]] = {}
    for option in analysis.options:
        label = option.label
        if frequencies.games_offered[label] / frequencies.games < MIN_OFFERED_GAMES:
            continue
        forbidden, always = estimate_option_effects(context, analysis, option, tests)
        judged += 1
        n_open += not is_judged(forbidden, always)
        if forbidden.low > -NEGLIGIBLE and always.high < NEGLIGIBLE:
            kinds = frequencies.list_decision_kinds(label)
            useless.setdefault(kinds, []).append((option, forbidden))
        is_right = forbidden.high < -NEGLIGIBLE and always.low > -NEGLIGIBLE
        if is_right and frequencies.estimate_take_rate(label, 0.95).value >= MIN_TAKE_RATE:
            yield context.make_finding(
                "always-worth-taking",
                f"{quote_name(option.name)} is always right: {format_point_change(forbidden)} of "
                f"win rate if it is forbidden for a whole game, {format_point_change(always)} if "
                "it is taken whenever possible",
                forbidden,
                POINTS,
                game=int(frequencies.example_games[label]),
                followup=context.build_command("choices"),
                steady=analysis.estimate_with_steady(option.forbidden),
            )
    context.note_open("option", n_open, judged, analysis.missing_seconds)
    for options in useless.values():
        yield _report_useless_options(context, analysis, options)
    if analysis.components:
        yield from check_content(context, analysis, tests)


def is_judged(forbidden: Estimate, always: Estimate) -> bool:
    """Return whether enough was played to tell if an option is needed.

    Args:
        forbidden: Effect of forbidding it on the win rate.
        always: Effect of always taking it.
    """
    is_useless = forbidden.low > -NEGLIGIBLE and always.high < NEGLIGIBLE
    is_needed = forbidden.high < 0 or always.low > 0
    return is_useless or is_needed


def _report_useless_options(
    context: AuditContext, analysis: ChoiceAnalysis, options: Sequence[RatedOption]
) -> Finding:
    """Return the finding that options of the same kind of decision are not needed."""
    names = ", ".join(quote_name(option.name) for option, _ in options)
    largest = min((estimate for _, estimate in options), key=lambda estimate: estimate.low)
    first = options[0][0]
    steady = None
    if len(options) == 1:
        steady = analysis.estimate_with_steady(first.forbidden)
    return context.make_finding(
        "never-worth-taking",
        f"not needed: {names}; {format_point_change(largest)} of win rate if forbidden for a whole "
        "game, and no more if taken whenever possible",
        largest,
        POINTS,
        game=int(analysis.own_frequencies.example_games[first.label]),
        followup=context.build_command("choices"),
        steady=steady,
    )


def estimate_option_effects(
    context: AuditContext, analysis: ChoiceAnalysis, option: OptionEffect, tests: int
) -> tuple[Estimate, Estimate]:
    """Return the effects on the win rate of forbidding an option and of always taking it.

    If the players never took it in any game (or always did), the restriction changes no more games
    than can have been missed.

    Args:
        context: The audit.
        analysis: The analysis of all options.
        option: The option.
        tests: Number of intervals of the check.
    """
    frequencies = analysis.own_frequencies
    label = option.label
    confidence = context.adjusted_confidence(tests)
    bound = bound_unseen_share(0, frequencies.games, 1 - confidence)
    unseen = Estimate(0.0, -bound, bound, frequencies.games, confidence)
    forbidden = unseen
    always = unseen
    if frequencies.taken[label]:
        forbidden = estimate_effect(option.forbidden, confidence)
    if frequencies.taken[label] != frequencies.offered[label]:
        always = estimate_effect(option.always, confidence)
    return forbidden, always


def estimate_effect(effect: ParameterEffect, confidence: float) -> Estimate:
    """Return the effect of a change on the win rate, with Tango's interval for paired games."""
    if not effect.games:
        return Estimate(0.0, -1.0, 1.0, 0, confidence)
    pairs = PairedBounds(effect.games, effect.wins_gained, effect.wins_lost)
    low, high = pairs.bounds((1 - confidence) / 2)
    return Estimate(effect.value, float(low), float(high), effect.games, confidence)


def quote_name(name: str) -> str:
    """Return a name in single quotes."""
    return f"'{name}'"


def bound_unseen_share(changed: int, games: int, error: float) -> float:
    """Return the upper bound of the share of games that a change affects.

    Args:
        changed: Games that it changed; the bound is 1 unless this is 0.
        games: Games that were played.
        error: Probability that the bound is too low.
    """
    return 1.0 if changed or not games else 1 - error ** (1 / games)


def check_content(context: AuditContext, analysis: ChoiceAnalysis, tests: int) -> Iterator[Finding]:
    """Search for components that change no game, or that hardly any game uses.

    Args:
        context: The audit.
        analysis: The analysis of options and components.
        tests: Number of intervals that other checks of the analysis use.
    """
    context.checked_kinds.append("unused-content")
    confidence = context.adjusted_confidence(tests + 2 * len(analysis.components))
    for effect in analysis.components:
        options = []
        for path, value in effect.parameter.new_values.items():
            options += ["--set-b", f"{path}={format_yaml_value(value)}"]
        followup = context.build_command("compare", *options)
        bound = bound_unseen_share(effect.games_changed, effect.games, 1 - confidence)
        if bound < MAX_UNCHANGED_GAMES:
            before = format_yaml_value(effect.before)
            after = format_yaml_value(effect.after)
            yield context.make_finding(
                "unused-content",
                f"{effect.path} from {before} to {after} changes none of {effect.games:,} games",
                Estimate(0.0, 0.0, bound, effect.games),
                GAMES,
                followup=followup,
            )
            continue
        name = components.get_component_name(effect.parameter)
        for games, problem in (
            (analysis.usage.games_drawn, "hardly ever comes into play"),
            (analysis.usage.games_used, "is hardly ever used"),
        ):
            rate = analysis.usage.estimate_share(games, name, confidence)
            if rate and rate.high < MAX_UNSEEN_GAMES:
                message = f"{components.format_component_name(effect.parameter)} {problem}"
                yield context.make_finding(
                    "unused-content", message, rate, GAMES, followup=followup
                )
                break


def check_numbers(context: AuditContext) -> Iterator[Finding]:
    """Search for numbers that the rules use but that change no game when they change by a step."""
    context.checked_kinds.append("dead-number")
    effort = context.effort.override(games=count_needed_games(context))
    seconds = context.budget.seconds
    analysis = analyze_sensitivity(context.cell, effort, seconds, context.progress)
    error = context.adjusted_error(len(analysis.effects))
    needed = count_needed_games(context)
    too_few = [e for e in analysis.effects if is_unjudged(e, needed)]
    missing = None
    if analysis.speed:
        missing = sum(needed - effect.games for effect in too_few) / analysis.speed
    context.note_open("step", len(too_few), len(analysis.effects), missing)
    for path in analysis.no_change_seen:
        if find_unmet_needs(context.cell.parameters[path], context.cell.values):
            continue
        steps = [step for step in analysis.effects if step.path == path and step.changes_box]
        games = min(step.games for step in steps)
        bound = bound_unseen_share(0, games, error)
        if bound < MAX_DEAD_GAMES:
            value = format_yaml_value(steps[0].before)
            yield context.make_finding(
                "dead-number",
                f"{path} ({value}): none of {games:,} games changes if it changes by a step",
                Estimate(0.0, 0.0, bound, games),
                GAMES,
                followup=context.build_command("sensitivity"),
            )


def is_unjudged(effect: ParameterEffect, needed_games: int) -> bool:
    """Return whether a step changed no game, but in too few games to call the number dead."""
    is_silent = not effect.games_changed and effect.joint_effect is None
    return effect.changes_box and is_silent and effect.games < needed_games


def count_needed_games(context: AuditContext) -> int:
    """Return how many unchanged games show that a number is dead."""
    steps = 0
    for path, parameter in context.cell.parameters.items():
        steps += len(list_step_values(parameter, context.cell.values[path]))
    return int(log(context.adjusted_error(steps)) / log(1 - MAX_DEAD_GAMES)) + 2


class OneOptionRunner(RestrictionRunner):
    """Runner of random players who always take one kind of option, compared with `steady`."""

    def build_engine(self, parameter: PerturbedParameter) -> Engine:
        """Return the game in which random players always take the label."""
        random_player = registry.create_player(self.cell.game.name, "random")
        players = self.cell.seat_plan.assign(random_player, self.own.seat_players)
        return self.build_restricted_engine(players, (int(parameter.before),))


def check_loopholes(context: AuditContext) -> Iterator[Finding]:
    """Search for kinds of options such that always taking them does as well as `steady`."""
    if not context.game.labels:
        return
    context.checked_kinds.append("loophole")
    steady = StrategySpec(DEFAULT_STRATEGY.name)
    base = context.cell.with_values({}, [steady] * context.seats)
    seconds = context.budget.subbudget(0.1).seconds
    frequencies_by_kind, *_ = measure_frequencies(base, context.effort, seconds)
    offered = next(iter(frequencies_by_kind.values())).offered
    labels = sorted(np.flatnonzero(offered).tolist(), key=lambda label: -offered[label])
    names = list_option_labels(base)
    requests = [PerturbedParameter(names[i], i, ALWAYS) for i in labels[:MAX_LOOPHOLE_OPTIONS]]
    effort = context.effort.override(games=context.games or MAX_GAMES)
    budget = context.budget.subbudget(0.9)
    effects = OneOptionRunner(base, effort, budget, ignore_progress).run(requests)
    confidence = context.adjusted_confidence(len(effects))
    for effect in effects:
        gain = estimate_effect(effect, confidence)
        if gain.low > -NEGLIGIBLE:
            yield context.make_finding(
                "loophole",
                f"always taking {quote_name(effect.path)}, and otherwise any option, changes the "
                f"win rate of steady by only {format_point_change(gain)}",
                gain,
                POINTS,
                followup=context.build_command("choices"),
            )
