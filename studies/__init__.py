"""Which games are played to answer a question, and where they are played."""

if __name__ != "hardmode.studies":
    raise ImportError("studies is a part of hardmode: import hardmode.studies")
