"""Expectations that must hold whatever we change."""


def test_about_half_of_the_games_are_won(assert_win_rate):
    """Check the win rate of the players that the scenario names."""
    assert_win_rate("scenarios/mine.yaml", "40% .. 60%", games=4_000)


def test_beginners_can_win(assert_win_rate):
    """Check that beginners win more than 2 % of their games."""
    assert_win_rate("scenarios/mine.yaml", "> 2%", strategies=["beginner"], games=4_000)
