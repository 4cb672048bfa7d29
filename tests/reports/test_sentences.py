"""Every sentence that the page can form, printed for reading (pytest -s), and held to what any sentence must be.

The sentences stand in the code as texts with places for values: all of them are read there, whichever branch they are
in. Those that a report really forms are held to more, in `test_front`.
"""

import ast
import re
from pathlib import Path

import pytest

import hardmode.reports as reports

ROOM = Path(next(iter(reports.__path__)))
CHAPTERS = sorted((ROOM / "page" / "chapters").glob("*.py"))
CONSOLE = ("decided", "uncertainty", "luck", "ranking", "sensitivity")
TOLD = [*CHAPTERS, *(ROOM / "console" / f"{name}.py" for name in CONSOLE)]
PLACE = "□"
WORDS = 4  # what has fewer is a label


def told(file):
    """The texts of a module that are long enough to be sentences, or parts of them; not what it says of itself."""
    tree = ast.parse(file.read_text())
    parts = {id(p) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for p in ast.walk(node)} - {
        id(node) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)}
    said = {id(n.body[0].value) for n in ast.walk(tree)
            if isinstance(n, (ast.Module, ast.ClassDef, ast.FunctionDef)) and isinstance(n.body[0], ast.Expr)}
    for node in ast.walk(tree):
        if id(node) in parts or id(node) in said:
            continue
        if isinstance(node, ast.JoinedStr):
            text = "".join(v.value if isinstance(v, ast.Constant) else PLACE for v in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
        else:
            continue
        if len(re.findall(r"[A-Za-z]{2,}", text)) >= WORDS:
            yield text


@pytest.mark.parametrize("file", TOLD, ids=lambda file: file.stem)
def test_every_sentence_is_one_that_could_be_printed(file):
    for text in told(file):
        print(f"  {text}")
        assert "  " not in text and not re.search(r" [,.;:]( |$)", text), text
        articles = text.replace("a one", "").replace("a u", "")
        assert not re.search(r"\ba [aeio]\w|\ban [bcdfgjklmnpqrstvwxyz]\w", articles), text
        assert not re.search(r"\b(the the|a a|of of|is is|in in)\b", text), text
        assert not re.search(r"\b1 (games|rounds|players|variants)\b", text), text
        assert text.count("“") == text.count("”") and text.count("(") == text.count(")"), text
        assert not re.search(r"\b(can not|informations|evidences|allows to|less games|more easy)\b", text), text


def test_there_are_sentences_to_read():
    assert sum(1 for file in TOLD for _ in told(file)) > 120
