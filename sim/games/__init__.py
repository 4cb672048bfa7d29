"""The games: one folder each. A folder `sim/games/<name>` on any sys.path entry adds a game."""

from pkgutil import extend_path

__path__ = extend_path(__path__, __name__)
