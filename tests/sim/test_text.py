"""What users wrote is said again without harm: no control codes, no page of digits."""

import pytest

from hardmode.sim.files.text import escape_control_chars, parse_number, shorten_value, to_one_line


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain é ~", "plain é ~"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("a\rb", r"a\rb"),
        ("a\nb", "a\nb"),
        ("\x9b31m", r"\x9b31m"),
        ("\u202eback", r"\u202eback"),
        ("\ud800", r"\ud800"),
    ],
)
def test_what_moves_a_terminal_is_shown_as_its_code(text, seen):
    assert escape_control_chars(text) == seen


def test_a_message_is_a_line():
    assert to_one_line("a\nb\x1b") == r"a b\x1b"
    assert len(to_one_line("x" * 10**6)) < 2_000


def test_what_is_long_is_shortened():
    assert shorten_value("abc") == "'abc'" and shorten_value(3) == "3"
    assert (
        len(shorten_value("9" * 5000)) < 120
        and len(shorten_value(10**5000)) < 120
        and len(shorten_value([1] * 5000)) < 120
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("1_000", 1000),
        ("0.5", 0.5),
        (".5", 0.5),
        ("1e3", 1000),
        ("3_", None),
        ("1__0", None),
        ("_3", None),
        ("inf", None),
        ("nan", None),
        ("", None),
        ("5%", None),
        ("\u0663", None),
        ("1.", None),
    ],
)
def test_a_number_is_what_people_write(text, value):
    assert parse_number(text) == value
