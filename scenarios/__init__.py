"""What is played: boxes and scenarios, a folder per game, and how they are read."""

from pkgutil import extend_path

__path__ = extend_path(__path__, __name__)
