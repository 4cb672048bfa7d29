"""The part of a report's page that plays the game itself, compiled to WebAssembly."""
