"""Text that each command prints: one module per command."""
