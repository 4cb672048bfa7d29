"""History of results across commits, and bisection of a change."""
