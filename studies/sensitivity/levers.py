"""Levers: the numbers of a box that a designer can set, ranked by the effect of one step.

A choice at set-up is made by the players, a switch is a reading of a rule, and a number of a model
describes people, so none of these is a lever.
"""

from __future__ import annotations

from dataclasses import dataclass

from hardmode.scenarios.parameter import MODEL, Parameter
from hardmode.studies.sensitivity.analysis import SensitivityAnalysis
from hardmode.studies.sensitivity.paired_effects import ParameterEffect, group_by_path


@dataclass(frozen=True)
class Lever:
    """A number, or a list of numbers, with its significant steps, strongest first."""

    parameter: Parameter
    effects: list[ParameterEffect]

    @property
    def path(self) -> str:
        """Path of the number."""
        return self.parameter.path


def rank_levers(analysis: SensitivityAnalysis) -> list[Lever]:
    """Return the levers with a significant effect on the win rate, strongest first."""
    levers = []
    for path, effects in group_by_path(analysis.levers).items():
        parameter = analysis.cell.parameters[path]
        if is_lever(parameter):
            levers.append(Lever(parameter, effects))
    return levers


def is_lever(parameter: Parameter) -> bool:
    """Return whether a parameter is a number of the game that can take several values."""
    is_number = parameter.type in (int, float) and not parameter.choices
    is_component = not parameter.is_setup_choice and not parameter.is_switch
    return is_number and is_component and parameter.role != MODEL
