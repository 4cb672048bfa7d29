"""What do the assumptions decide? The band over all that is not known, what decides it, how firm conclusions are."""

from __future__ import annotations

from collections.abc import Sequence

from hardmode.reports.console import uncertainty, wording
from hardmode.reports.page import model
from hardmode.reports.page.model import Brief, Column, Section, Table
from hardmode.studies.report_run.data import ReportData
from hardmode.studies.uncertainty.analysis import UncertaintyAnalysis, UncertaintySource
from hardmode.studies.uncertainty.robustness import RobustConclusion
from hardmode.studies.uncertainty.sobol_from_halves import UncertaintyBand

MOST = 12


def section(g: ReportData) -> Section | None:
    found = g.uncertainty
    if found is None:
        return None
    figures = (
        [
            model.dots(
                "decides",
                "What the spread over plausible boxes comes from",
                [{"label": p.path, "estimate": p.sobol_index.total} for p in found.groups[:MOST]],
                "rate",
                "share of the variance",
            )
        ]
        if found.groups
        else []
    )
    tables = [
        _parts("groups", "By group of the box", found.groups),
        _parts("singles", "By single number", found.parameters),
        _firm(found.conclusions),
    ]
    return Section(
        "assumptions",
        "What do the assumptions decide?",
        _sentences(g, found),
        figures,
        tables=[t for t in tables if t],
        brief=Brief(2),
    )


def _sentences(g: ReportData, found: UncertaintyAnalysis) -> list[str]:
    first, *rest = uncertainty.sentences(found)
    of = f" of the first variant, {g.base.label}" if len(g.cells) > 1 else ""
    told = [
        f"Played by {wording.by(found.cell)}, the {g.metric.win_rate_label}{of} is {first}.",
        *(f"{line[0].upper()}{line[1:]}." for line in rest),
    ]
    if found.band and found.groups:
        told.append(uncertainty.worth_knowing(found))
    return [*told, f"{uncertainty.assumptions(found)}."] if found.band else told


def as_named(g: ReportData) -> UncertaintyBand | None:
    """The band where those play whom the scenario names, as far as that was played."""
    found = g.uncertainty
    return found.steady_band[1] if found and found.steady_band else found.band if found else None


def band_fact(g: ReportData) -> list[tuple[str, str, str]]:
    """The band beside the interval, for the head of a chapter."""
    band = as_named(g)
    if not band:
        return []
    return [
        (
            "over what is not known",
            f"{uncertainty.span(uncertainty.percentiles(band))} %",
            "that covers everything" if band.covers_everything else "90 of 100 plausible boxes",
        )
    ]


def _parts(name: str, title: str, parts: Sequence[UncertaintySource]) -> Table | None:
    if not parts:
        return None
    rows = [
        {
            "path": p.path,
            "numbers": p.parameter_count,
            "first": p.sobol_index.first,
            "total": p.sobol_index.total,
            "knowing": f"{uncertainty.span(p.band_if_known)} %",
        }
        for p in parts[:MOST]
    ]
    return Table(
        f"assumed-{name}",
        title,
        [
            Column("path", "part of the box", "code"),
            Column("numbers", "numbers", "count"),
            Column("first", "decides alone", "rate"),
            Column("total", "with all else", "rate"),
            Column("knowing", "if it is known, the band is about"),
        ],
        rows,
    )


def _firm(firm: Sequence[RobustConclusion]) -> Table | None:
    if not firm:
        return None
    rows = [
        {
            "statement": one.statement,
            "share": one.share,
            "verdict": "" if one.is_robust else "not established",
        }
        for one in sorted(firm, key=lambda f: f.share.value)[:MOST]
    ]
    return Table(
        "firm",
        "How firm conclusions are",
        [
            Column("statement", "conclusion"),
            Column("share", "holds in so many plausible boxes", "rate"),
            Column("verdict", ""),
        ],
        rows,
        "The least firm first.",
    )
