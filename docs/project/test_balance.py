"""What must hold whatever we change."""


def test_every_second_game_or_so_is_won(assert_win_rate):
    assert_win_rate("scenarios/mine.yaml", "40% .. 60%", games=4_000)


def test_beginners_are_not_shut_out(assert_win_rate):
    assert_win_rate("scenarios/mine.yaml", "> 2%", strategies=["beginner"], games=4_000)
