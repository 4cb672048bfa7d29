"""When is a game decided, and how long does it go on after that?"""

from __future__ import annotations

import shlex

from hardmode.reports.decided import MEASURES, sentences
from hardmode.reports.page import views
from hardmode.reports.page.views import Column, Figure, Section, Table
from hardmode.studies.decided import Decided
from hardmode.studies.estimate_text import with_interval
from hardmode.studies.survey import Survey, flags, settings
from hardmode.studies.who import players_text

EXPLAINED = ("A game is decided when from then on the chance of the side that won stays beyond 90 %, by playing on in "
             "worlds that the players cannot tell from theirs. What lies between the curves is played after that.")


def section(g: Survey) -> Section:
    title, found = "When is it decided?", g.decided
    if found is None:
        command = shlex.join(["hardmode", "decided", g.scenario.name, *flags(settings(g.first), g.first.own)])
        return Section("decided", title, [f"There was no time to watch enough games; “{command}” does."])
    of = f" of the first variant, {g.base.label}" if len(g.cells) > 1 else ""
    who = f"{len(found.games)} games{of} were watched, played by {players_text(found.cell)}."
    groups = [group for group in found.groups if found.groups[group] and (group != "all" or found.rivals)]
    return Section("decided", title, [who, *sentences(found), EXPLAINED], [_curves(found, group) for group in groups],
                   [_table(found)])


def _curves(found: Decided, group: str) -> Figure:
    by, unit = found.by(group), found.cell.game.unit
    xs, name = [r for r, _, _ in by], "games" if group == "all" else f"{group} games"
    series = [{"name": "decided", "role": "b", "x": xs, "estimates": [d for _, d, _ in by]},
              {"name": "over", "role": "a", "x": xs, "estimates": [o for _, _, o in by]}]
    after, until = found.decided(group).value, found.length(group).value
    alt = f"Half of the {name} are decided after {after:g} {unit} and over after {until:g}."
    return views.lines(f"decided-{group}", f"{name.capitalize()}, decided and over by {unit.rstrip('s')}", series,
                       f"{unit} played", f"share of {name}", alt, share=True)


def _table(found: Decided) -> Table:
    groups = [group for group in found.groups if found.groups[group]]
    rows = [{"what": words, **{group: with_interval(getattr(found, measure)(group), kind) for group in groups}}
            for measure, (words, kind) in MEASURES.items()]
    margin = found.margin()
    rows += [{"what": "lead in the end (median)", "all": with_interval(margin, "mean")}] if margin else []
    return Table("decided", "How games go", [Column("what", ""), *(Column(group, group) for group in groups)], rows)
