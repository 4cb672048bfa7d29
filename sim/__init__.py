"""The playing: draws, the game contract, compilation, the engine, results, replay."""

from pkgutil import extend_path

__path__ = extend_path(__path__, __name__)
