"""How the gate's verdicts look: lines, JSON, JUnit's XML, Markdown; and its plan, before a game is played."""
