"""The answers that commands print with `--json`: one module of records for each command."""
