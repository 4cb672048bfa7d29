from hardmode.cli import main

main()
