"""The compile cache: never stale, never needlessly cold, whatever happens to its files.

Each test works on a copy of the game of examples/pig, some of whose rules lie two imports away, with a
cache of its own, and starts new processes. What compiled code plays is held to what plain Python plays.
"""

import contextlib
import ctypes
import json
import os
import shutil
import subprocess
import sys
import time
import warnings
from pathlib import Path
from types import ModuleType

import numba
import numpy as np
import pytest
from playing import answer

from hardmode.sim.compile.cache import compile_cached, estimate_compile_seconds, on_compile
from hardmode.sim.compile.fingerprint import compute_fingerprint
from hardmode.sim.contract import load_game
from hardmode.sim.files.cache_folder import explain_not_private

ROOT = Path(__file__).resolve().parents[2]

PLAY = """
import json, sys
import numpy as np
import hardmode.sim.compile
from hardmode.sim.messages import show_messages
from playing import pig_engine, play
told = []
said = []
with hardmode.sim.compile.cache.on_compile(lambda name, seconds: told.append(name)), show_messages(said.append):
    rows = play(pig_engine(*{players}), 40, seed=7)
print(json.dumps([sorted(name for name, _ in hardmode.sim.compile.cache.compiled_entries), sorted(told),
                  np.asarray(rows).tolist(), said]))
"""

DEEPER = """
import numba
import numpy as np
from hardmode.sim.records import rule

LOSES = 1
POINTS = np.array([0, 0, 2, 3, 4, 5, 6])


@rule
def loses(face):
    return face == LOSES
"""

DEEP = """
from pig.deeper import loses
from hardmode.sim.records import rule


@rule
def lost(face):
    return loses(face)
"""

OWN = """
from pig import HOLD, ROLL

LIMIT = 25


def mine(box, table, own, options, n, luck, weights):
    return HOLD if table.turn >= LIMIT else ROLL
"""

FACTORY = """
from pig import HOLD, ROLL


def holding(limit):
    def choose(box, table, own, options, n, luck, weights):
        return HOLD if table.turn >= limit else ROLL

    return choose


careful, bold = holding(5), holding(40)
"""

ALL = [
    "pig decide",
    "pig label",
    "pig options",
    "pig outcome",
    "pig play",
    "pig redeal",
    "pig setup",
    "pig take",
    "strategy hold_at",
]
RULES = "__init__.py"
DEEPER_FILE = "deeper.py"
STRATEGY = "strategies.py"


class House:
    """A copy of the game with a cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.game, self.cache = folder, folder / "pig", folder / "cache"

    def build(self) -> "House":
        shutil.copytree(ROOT / "examples" / "pig", self.game, ignore=shutil.ignore_patterns("__pycache__"))
        (self.game / "deep.py").write_text(DEEP)
        (self.game / DEEPER_FILE).write_text(DEEPER)
        (self.folder / "mine.py").write_text(OWN)
        self.edit(
            RULES,
            "from hardmode.sim.records import rule",
            "import pig.deeper\nfrom hardmode.sim.records import rule\nfrom pig.deep import lost",
        )
        self.edit(RULES, "if face == 1:", "if lost(face):")
        self.edit(RULES, "table.turn += face", "table.turn += pig.deeper.POINTS[face]")
        return self

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.folder / file if file == "mine.py" else self.game / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def env(self, **env: str) -> dict[str, str]:
        return {
            "HARDMODE_PATH": str(self.folder),
            "HARDMODE_CACHE": str(self.cache),
            "PYTHONDONTWRITEBYTECODE": "1",
            **env,
        }

    def code(self, *players: str) -> str:
        return PLAY.format(players=list(players) or ["steady"])

    def play(self, *players: str, **env: str) -> tuple[list[str], list[list[int]]]:
        """What a new process had to compile, and the rows it played, which plain Python plays too."""
        compiled, told, rows, _ = self.said(*players, **env)
        assert told == compiled, "what is said to be compiled is what was compiled"
        assert rows == self.plain(*players), "compiled code plays what plain Python plays"
        return compiled, rows

    def plain(self, *players: str) -> list[list[int]]:
        return self.said(*players, NUMBA_DISABLE_JIT="1")[2]

    def said(self, *players: str, **env: str) -> tuple[list[str], list[str], list[list[int]], list[str]]:
        return answer(self.code(*players), cwd=self.folder, **self.env(**env))

    def start(self, *players: str, **env: str) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, "-c", self.code(*players)],
            cwd=self.folder,
            text=True,
            env={**os.environ, **self.env(**env)},
            stdout=subprocess.PIPE,
        )

    def files(self, entry: str = "") -> list[Path]:
        return sorted(self.cache.glob(f"??/*.{entry}.code"))


@pytest.fixture(scope="session")
def warm(tmp_path_factory) -> House:
    house = House(tmp_path_factory.mktemp("warm")).build()
    compiled, _ = house.play()
    assert compiled == ALL
    return house


@pytest.fixture
def house(warm, tmp_path) -> House:
    """A copy with a warm cache, in another place."""
    shutil.copytree(warm.folder, tmp_path, dirs_exist_ok=True)
    return House(tmp_path)


# -- what changes nothing -----------------------------------------------------------------------------


def test_nothing_changed_nothing_compiled(warm):
    assert warm.play()[0] == []


def test_a_moved_copy_is_not_compiled_again(house):
    assert house.play()[0] == []


def test_comments_other_lines_and_times_change_nothing(house):
    for path in house.game.rglob("*.py"):
        path.write_text("# a comment\n\n\n" + path.read_text() + "\n\ndef unused():\n    return 5\n")
        os.utime(path, (1, 1))
    assert house.play()[0] == []


def test_a_strategy_of_the_players_own_is_kept_across_processes(house):
    assert house.play("mine.py:mine")[0] == ["strategy mine"]
    assert house.play("mine.py:mine")[0] == []


# -- what changes something -----------------------------------------------------------------------------

EDITS = {
    "strategy": (STRATEGY, ">= weights[0]", "> weights[0]", ["strategy hold_at"]),
    "rules": (RULES, "table.score[seat] += table.turn", "table.score[seat] += table.turn + 1", ["pig take"]),
    "a helper two imports away": (DEEPER_FILE, "return face == LOSES", "return face <= LOSES + 1", ["pig take"]),
    "an imported constant": (DEEPER_FILE, "LOSES = 1", "LOSES = 3", ["pig take"]),
    "an array behind a module": (DEEPER_FILE, "2, 3, 4, 5, 6]", "2, 3, 4, 5, 9]", ["pig take"]),
    "an option of the compiler": (
        DEEPER_FILE,
        "@rule",
        "@numba.njit(nogil=True, no_cpython_wrapper=True)",
        ["pig take"],
    ),
    "a field of the table": (RULES, '("rolls", "i8")', '("rolls", "i4")', ALL),
    "another entry": (RULES, "row.rolls = table.all_rolls", "row.rolls = 2 * table.all_rolls", ["pig outcome"]),
}


# Each costs three new processes; these are seen like "strategy" and "a helper two imports away".
RARELY_TRIED = (
    "rules", "an imported constant", "an option of the compiler", "another entry", "an array behind a module",
)


@pytest.mark.parametrize(
    "edit", [pytest.param(edit, marks=[pytest.mark.soak] if edit in RARELY_TRIED else []) for edit in EDITS]
)
def test_an_edit_is_seen_by_the_next_process_and_costs_only_what_it_reaches(house, warm, edit):
    file, old, new, entries = EDITS[edit]
    before = warm.plain()
    house.edit(file, old, new)
    compiled, rows = house.play()
    assert compiled == entries
    assert (rows == before) == (edit in ("an option of the compiler", "a field of the table"))
    assert house.play()[0] == []
    house.edit(file, new, old)
    assert house.play() == ([], before), "what was compiled before the edit is still there"


def test_an_edited_file_of_the_players_own_is_compiled_again(house):
    _, before = house.play("mine.py:mine")
    house.edit("mine.py", "LIMIT = 25", "LIMIT = 6")
    compiled, after = house.play("mine.py:mine")
    assert compiled == ["strategy mine"] and after != before
    house.edit("mine.py", "LIMIT = 6", "LIMIT = 25")
    assert house.play("mine.py:mine") == ([], before)


def test_bounds_checks_are_never_left_out_by_the_cache(house):
    assert house.play(NUMBA_BOUNDSCHECK="1")[0] == ALL
    assert house.play(NUMBA_BOUNDSCHECK="1")[0] == []
    assert house.play()[0] == []


@pytest.mark.soak
def test_two_closures_of_one_function_are_two_strategies(house):
    """Each compiled first in a process of its own, so that both have the same name and number there."""
    (house.folder / "both.py").write_text(FACTORY)
    assert house.play("both.py:careful")[0] == ["strategy choose"]
    assert house.play("both.py:bold")[0] == ["strategy choose"]
    for seats in (("both.py:careful", "both.py:bold"), ("both.py:bold", "both.py:careful")):
        assert house.play(*seats)[0] == []


@pytest.mark.soak
def test_two_files_of_one_name_are_two_strategies(house):
    for folder, limit in (("a", "5"), ("b", "40")):
        (house.folder / folder).mkdir()
        (house.folder / folder / "mine.py").write_text(OWN.replace("25", limit))
        assert house.play(f"{folder}/mine.py:mine")[0] == ["strategy mine"]
    assert house.play("a/mine.py:mine", "b/mine.py:mine")[0] == []


@pytest.mark.soak
def test_one_strategy_in_two_files_is_played_from_either(house):
    for folder in "ab":
        (house.folder / folder).mkdir()
        shutil.copy(house.folder / "mine.py", house.folder / folder)
    assert house.play("a/mine.py:mine")[0] == ["strategy mine"]
    assert house.play("b/mine.py:mine", "a/mine.py:mine")[0] == ["strategy mine"]
    shutil.rmtree(house.folder / "a")
    assert house.play("b/mine.py:mine")[0] == []


size = ctypes.CDLL(None).labs  # nobody can tell what it does
size.argtypes, size.restype = [ctypes.c_long], ctypes.c_long


def opaque(number):
    return size(number)


def test_what_cannot_be_fingerprinted_is_compiled_anew_with_a_message(caplog):
    for _ in range(2):
        made = compile_cached(opaque, numba.int64(numba.int64))
        assert made(-5) == 5
    [message] = caplog.messages
    assert message.startswith("opaque is compiled without a cache: opaque uses size")


def test_functions_that_differ_in_anything_that_matters_have_other_fingerprints():
    made = {name: compute_fingerprint(f) for name, f in variations().items()}
    assert len(set(made.values())) == len(made), made


def test_modules_that_name_each_other_can_be_fingerprinted(tmp_path):
    """Each module of a circle is looked into once."""
    one, two = ModuleType("one"), ModuleType("two")
    one.two, two.one, two.LIMIT = two, one, 5
    code = compile("def f():\n    return one.two.one.two.LIMIT", "f", "exec")
    space = {"one": one}
    exec(code, space)
    before = compute_fingerprint(space["f"])
    two.LIMIT = 6
    assert compute_fingerprint(space["f"]) != before


def variations():
    """The same function but for one thing."""

    def made(text, **names):
        space = {"np": np, **names}
        exec(f"def f{text}", space)
        return space["f"]

    inner = {n: made("(x):\n    return x + 1", n=n) for n in "ab"}
    return {
        "one": made("(x):\n    return x + 1"),
        "two": made("(x):\n    return x + 2"),
        "true": made("(x):\n    return x + True"),
        "float": made("(x):\n    return x + 1.0"),
        "default": made("(x=3):\n    return x + 1"),
        "other default": made("(x=4):\n    return x + 1"),
        "keyword": made("(*, x=3):\n    return x + 1"),
        "other keyword": made("(*, x=4):\n    return x + 1"),
        "minus": made("(x):\n    return x - 1"),
        "global": made("(x):\n    return x + G", G=1),
        "other global": made("(x):\n    return x + G", G=2),
        "float global": made("(x):\n    return x + G", G=1.0),
        "zero": made("(x):\n    return x + G", G=0.0),
        "minus zero": made("(x):\n    return x + G", G=-0.0),
        "i8": made("(x):\n    return G[x]", G=np.arange(3)),
        "i4": made("(x):\n    return G[x]", G=np.arange(3, dtype="i4")),
        "shape": made("(x):\n    return G[x]", G=np.arange(3).reshape(3, 1)),
        "scalar": made("(x):\n    return G[x]", G=(1, 2)),
        "tuple": made("(x):\n    return G[x]", G=((1, 2),)),
        "dtype": made("(x):\n    return G", G=np.dtype([("a", "i8"), ("b", "i8")])),
        "other names": made("(x):\n    return G", G=np.dtype([("b", "i8"), ("a", "i8")])),
        "other offsets": made("(x):\n    return G", G=np.dtype([("a", "i1"), ("b", "i8")])),
        "aligned": made("(x):\n    return G", G=np.dtype([("a", "i1"), ("b", "i8")], align=True)),
        "calls": made("(x):\n    return g(x)", g=inner["a"]),
        "calls another": made("(x):\n    return g(x)", g=made("(x):\n    return x + 2")),
        "calls a library": made("(x):\n    return np.abs(x)"),
        "calls another one": made("(x):\n    return np.sign(x)"),
        "inner": made("(x):\n    return (lambda y: y + 1)(x)"),
        "inner two": made("(x):\n    return (lambda y: y + 2)(x)"),
        "set": made("(x):\n    return x in {1, 2}"),
        "other set": made("(x):\n    return x in {1, 3}"),
    }


# -- many processes, killed processes, damaged files ---------------------------------------------------------


def test_four_cold_processes_compile_everything_once(house):
    shutil.rmtree(house.cache)
    running = [house.start() for _ in range(4)]
    said = [json.loads(p.communicate(timeout=900)[0].splitlines()[-1]) for p in running]
    assert [p.returncode for p in running] == [0] * 4
    assert sorted(name for compiled, *_ in said for name in compiled) == ALL
    assert all(rows == house.plain() for _, _, rows, _ in said)


KILLED = """
import os
calls = 0
def dying(*args, real=os.{call}, **kw):
    global calls
    calls += 1
    if calls == {at} and not {after}:
        os.kill(os.getpid(), 9)
    done = real(*args, **kw)
    if calls == {at}:
        os.kill(os.getpid(), 9)
    return done
os.{call} = dying
"""


@pytest.mark.parametrize(
    "at, after",
    [(1, True), pytest.param(1, False, marks=pytest.mark.soak), pytest.param(2, False, marks=pytest.mark.soak)],
)
def test_a_process_killed_while_it_writes_leaves_nothing_wrong(house, at, after):
    """Before or after the first file is put in its place, and before the second is."""
    shutil.rmtree(house.cache)
    killed = subprocess.run(
        [sys.executable, "-c", KILLED.format(call="replace", at=at, after=after) + house.code()],
        cwd=house.folder,
        env={**os.environ, **house.env()},
        capture_output=True,
    )
    assert killed.returncode == -9
    compiled, _ = house.play()
    assert set(compiled) <= set(ALL) and len(compiled) >= len(ALL) - 1
    assert house.play()[0] == []


def truncate(data: bytes) -> bytes:
    return data[: len(data) // 2]


def empty(data: bytes) -> bytes:
    return b""


def garble(data: bytes) -> bytes:
    return bytes(b ^ 0x5A for b in data)


def flip(data: bytes) -> bytes:
    """One bit of the machine code (or of the middle of a file without any), which numba would run."""
    elf = data.find(b"\x7fELF")
    at = elf + 0x100 if elf >= 0 else len(data) // 2
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


@pytest.mark.parametrize(
    "damage", [truncate, flip, *(pytest.param(damage, marks=pytest.mark.soak) for damage in (empty, garble))]
)
def test_damaged_files_are_compiled_again(house, damage):
    for made in ("hold_at", "take"):
        [path] = house.files(made)
        path.write_bytes(damage(path.read_bytes()))
    compiled, rows = house.play()
    assert compiled == ["pig take", "strategy hold_at"] and rows == house.plain()
    assert house.play()[0] == []


def test_missing_files_are_compiled_again(house):
    for path in house.files("hold_at"):
        path.unlink()
    assert house.play()[0] == ["strategy hold_at"]
    assert house.play()[0] == []


def test_where_a_folder_stands_in_place_of_a_file_it_is_played_without(house):
    for path in house.files("hold_at"):
        path.unlink()
        (path / "mine").mkdir(parents=True)
    for _ in range(2):
        assert house.play()[0] == ["strategy hold_at"]


def test_what_is_whole_is_loaded_without_asking_who_compiles(house):
    for path in house.files("hold_at"):
        lock = path.with_suffix(".lock")
        lock.unlink(missing_ok=True)
        lock.mkdir()
    assert house.play()[0] == []


# -- where the cache lies -----------------------------------------------------------------------------------


@pytest.mark.soak
def test_without_a_place_to_write_in_the_temporary_folder_serves(house):
    spare = house.folder / "spare"
    spare.mkdir()
    nowhere = {"HARDMODE_CACHE": "/proc/none", "XDG_CACHE_HOME": "/proc/none", "HOME": "/proc/none"}
    assert house.play(**nowhere, TMPDIR=str(spare))[0] == ALL
    assert house.play(**nowhere, TMPDIR=str(spare))[0] == []
    assert list(spare.glob("hardmode-*/??/*.code"))


def test_the_users_cache_is_taken_where_nothing_is_said(house):
    env = {"HARDMODE_CACHE": "", "XDG_CACHE_HOME": str(house.folder / "xdg")}
    shutil.copytree(house.cache, house.folder / "xdg" / "hardmode")
    assert house.play(**env)[0] == []


@pytest.mark.soak
def test_the_cache_can_be_off(house):
    for _ in range(2):
        assert house.play(HARDMODE_CACHE="off")[0] == ALL


def test_a_full_disk_costs_the_cache_and_not_the_result(house):
    shutil.rmtree(house.cache)
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))\n" + house.code()
    compiled, _, rows, _ = answer(full, cwd=house.folder, **house.env())
    assert compiled == ALL and rows == house.plain()
    assert house.play()[0]


@pytest.mark.soak
def test_files_that_were_not_used_for_a_month_are_deleted(house):
    """Once a day, when something is compiled."""
    [old] = house.files("hold_at")
    month = 31 * 86400
    os.utime(old, (time.time() - month, time.time() - month))
    stamp = house.cache / "pruned"
    house.files("take")[0].unlink()
    house.play("roll_twice")
    assert old.exists(), "it was looked at today"
    os.utime(stamp, (1, 1))
    os.utime(old, (time.time() - month, time.time() - month))
    house.files("take")[0].unlink()
    house.play("roll_twice")
    assert not old.exists() and house.files("take")
    assert house.play()[0] == ["strategy hold_at"]


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="there are no users")
def test_a_folder_that_others_can_write_to_is_not_used(house):
    assert explain_not_private(house.cache) is None
    house.cache.chmod(0o777)
    assert "other users can write to it" in explain_not_private(house.cache)
    house.cache.chmod(0o700)
    shared = house.folder / "shared"
    (shared / "cache").mkdir(parents=True, mode=0o700)
    (shared / "cache").chmod(0o700)
    shared.chmod(0o777)
    assert "no sticky bit" in explain_not_private(shared / "cache")
    shared.chmod(0o1777)
    assert explain_not_private(shared / "cache") is None


def test_code_that_others_can_write_to_is_not_loaded(house):
    [code] = house.files("hold_at")
    code.chmod(0o666)
    assert house.play()[0] == ["strategy hold_at"]


def test_files_are_loaded_where_new_files_are_open_to_a_group(house):
    """As with the umask 002, which several systems have."""
    shutil.rmtree(house.cache)
    code = "import os; os.umask(0o002)\n" + house.code()
    for expected in (ALL, []):
        compiled, *_ = answer(code, cwd=house.folder, **house.env())
        assert compiled == expected


def test_the_expected_time_grows_with_the_code_and_is_short_for_code_compiled_before():
    game, compiled = load_game("pig"), set()
    small, first = estimate_compile_seconds(game.options, compiled), estimate_compile_seconds(game.take, compiled)
    assert 0 < 10 * small < first < 5
    assert estimate_compile_seconds(game.take, compiled) < first / 5
    assert estimate_compile_seconds(game.take, set()) == first
    assert estimate_compile_seconds(lambda: ROOT, compiled) == 0, "a part cannot be judged"


def test_warnings_are_filtered_only_while_numba_compiles(tmp_path, monkeypatch):
    """Not while another process holds the entry, since filters belong to all threads."""
    monkeypatch.setenv("HARDMODE_CACHE", str(tmp_path))
    filters, seen = list(warnings.filters), []

    def lock_entry(path):
        seen.append(list(warnings.filters))
        return contextlib.nullcontext()

    monkeypatch.setattr("hardmode.sim.compile.cache._lock_entry", lock_entry)
    with on_compile(lambda name, seconds: seen.append(list(warnings.filters))):
        compile_cached(lambda number: number + 1, numba.int64(numba.int64))
    assert seen == [filters, filters] and list(warnings.filters) == filters
