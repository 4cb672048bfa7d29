"""Parts that every study uses: runs, budgets, progress, reference players and skill levels."""
