"""The engine: decision loop, execution backends, replay of positions and interactive games."""
