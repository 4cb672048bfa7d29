"""Run the command line with `python -m hardmode`."""

from hardmode.cli import main

main()
