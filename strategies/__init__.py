"""Who plays: one module per game, and those that play any game."""

from pkgutil import extend_path

__path__ = extend_path(__path__, __name__)
