"""Writes the schemas anew, after a key has come."""

from hardmode.reports.json import FORMS, file_of, text

if __name__ == "__main__":
    for name in FORMS:
        file_of(name).write_text(text(name), encoding="utf-8")
