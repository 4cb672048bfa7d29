"""How much the tests notice: small faults are planted in the code, one at a time, and the tests must fail.

    python -m tests.mutants [--sample 300] [--seed 1] [--jobs 2] [--only PART]

A mutant is a copy of the project in which one operator, number or condition of a module of `TARGETS` is changed, or one
statement is left out. Texts, types and `strict` of zip are left alone. A seeded sample of all mutants is run, each against the
tests of its module until one of them fails. The rate of caught mutants is printed with its Wilson interval, and each
survivor with its place. `equivalent_mutants.txt` beside this file argues, one by one, why some change nothing.

mutmut 3 finds no test of any mutant, as it names modules by their files, but they are imported through the links in
`hardmode/`. cosmic-ray changes the files in place and has one list of tests for all modules, and no sample.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import copy
import fnmatch
import importlib
import os
import py_compile
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EQUIVALENT = ROOT / "tests" / "equivalent_mutants.txt"
CPU_SECONDS = 400  # a mutant that takes longer hangs: it is caught; no test file takes a quarter of it
WAIT_SECONDS = 7200  # the same for one that waits for ever
# What every run of the tests would import anew: it is imported once, and each run is a fork of the process.
LIBRARIES = ("hypothesis", "jsonschema", "numba", "numpy", "polars", "pydantic", "pytest", "rich", "ruamel.yaml",
             "scipy.special", "scipy.stats", "statsmodels.stats.proportion", "typer")
RULES = ("box", "clues", "curses", "decisions", "end_of_round", "monster", "redeal", "round", "setup", "traps", "turn")
GAMES = ("run_run_run", "trapwords", "vengeance", "woodlands")

# Modules by pattern, and the tests that concern them, the quickest first. Tests of games run as plain Python.
TARGETS = {
    "sim/results/*.py": "sim/test_result_values.py sim/test_tally.py sim/test_sums.py",
    "studies/stats/estimates.py": "studies/test_stat_values.py reports/test_estimates_edges.py",
    "studies/stats/*.py": "studies/test_stat_values.py",
    "studies/gate/*.py": "studies/test_gate_values.py",
    **{f"sim/games/{game}/measures.py": f"games/test_measures_declared.py games/{game}/test_{game}_measures.py"
       for game in GAMES},
    **{f"sim/games/trapwords/{rules}.py": "games/trapwords/test_trapwords_values.py games/trapwords/test_trapwords_details.py "
       "games/trapwords/test_trapwords_board.py games/trapwords/test_trapwords_cards.py games/test_accepted_games.py "
       "games/trapwords/test_trapwords_words.py" for rules in RULES},
}

COMPARED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
            ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}
COMPUTED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
            ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
            ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr}
JOINED = {ast.And: ast.Or, ast.Or: ast.And}
JUMPS = {ast.Break: ast.Continue, ast.Continue: ast.Break}


@dataclass(frozen=True)
class Mutant:
    """One change to one file: the bytes from `start` to `end` are replaced by `new`."""

    file: str
    line: int
    start: int
    end: int
    new: str
    name: str  # the lines that change, and what they become; it stays true when lines move


def find_mutants(file: str) -> Iterator[Mutant]:
    """Yield every mutant of a file, in the order of its text."""
    source = (ROOT / file).read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for function, node in walk_code(ast.parse(source)):
        for changed in change_node(node):
            start = starts[node.lineno - 1] + node.col_offset
            end = starts[node.end_lineno - 1] + node.end_col_offset
            text = ast.unparse(changed)
            if isinstance(node, ast.expr) and not isinstance(node, ast.Constant):
                text = f"({text})"
            before, after = source[starts[node.lineno - 1] : start], source[end : starts[node.end_lineno]]
            lines = before + source[start:end] + after, before + text.encode() + after
            old, new = (" ".join(line.decode().split()) for line in lines)
            yield Mutant(file, node.lineno, start, end, text, f"{file} {function}: {old} => {new}")


def walk_code(tree: ast.AST, function: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Yield the nodes that run, each with the function it is in; not types, nor what only type checkers read."""
    if isinstance(tree, ast.If) and ast.unparse(tree.test) == "TYPE_CHECKING":
        return
    yield function, tree
    if isinstance(tree, (ast.FunctionDef, ast.ClassDef)):
        function = f"{function}.{tree.name}".lstrip(".")
    if isinstance(tree, ast.keyword) and tree.arg == "strict":  # of zip: it guards against faults of programmers
        return
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list", "bases", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from walk_code(child, function)


def change_node(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the changed copies of a node; none of most nodes."""
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            changed = copy.deepcopy(node)
            changed.ops[place] = COMPARED[type(operator)]()
            yield changed
    elif isinstance(node, ast.BinOp) and type(node.op) in COMPUTED and not is_text(node):
        yield ast.BinOp(node.left, COMPUTED[type(node.op)](), node.right)
    elif isinstance(node, ast.AugAssign) and type(node.op) in COMPUTED:
        yield ast.AugAssign(node.target, COMPUTED[type(node.op)](), node.value)
        yield ast.Pass()
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(JOINED[type(node.op)](), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield node.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float)):
        yield ast.Constant(not node.value if isinstance(node.value, bool) else node.value + 1)
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(node.test, node.orelse, node.body)
    elif type(node) in JUMPS:
        yield JUMPS[type(node)]()
    elif isinstance(node, ast.Raise) or is_effect(node):
        yield ast.Pass()


def is_text(node: ast.BinOp) -> bool:
    """Return whether an operation joins or fills a text."""
    parts = (node.left, node.right)
    return any(isinstance(p, ast.JoinedStr) or isinstance(getattr(p, "value", None), str) for p in parts)


def is_effect(node: ast.AST) -> bool:
    """Return whether a statement is there for its effect: a call, or a write to a record or an array."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Attribute, ast.Subscript))


def find_tests(file: str) -> list[str]:
    """Return the tests that concern a file: those of the first pattern that it fits."""
    return next((["tests/" + t for t in tests.split()] for p, tests in TARGETS.items() if fnmatch.fnmatch(file, p)), [])


def list_tracked_files() -> list[str]:
    """Return the files of the project, new ones included."""
    names = ["git", "ls-files", "-co", "--exclude-standard"]
    return subprocess.run(names, cwd=ROOT, check=True, text=True, capture_output=True).stdout.splitlines()


def copy_project(folder: Path) -> Path:
    """Copy the files of the project to a folder and return it."""
    for name in list_tracked_files():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
    # Compiled modules that are compared with their source by its hash, as a mutant may be as long and as old as it.
    compileall.compile_dir(folder, quiet=2, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)
    return folder


def start_tests(folder: Path, file: str) -> int:
    """Run the tests of a file in a copy of the project, in a fork of this process; return its number."""
    number = os.fork()
    if number:
        return number
    code = 1
    with suppress(BaseException):
        code = run_tests(folder, file)
    os._exit(code)


def run_tests(folder: Path, file: str) -> int:
    """Run the tests of a file until one fails; return the exit code of pytest."""
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(silence, stream)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    signal.alarm(WAIT_SECONDS)
    os.chdir(folder)
    sys.path[:] = [str(folder), *(place for place in sys.path if place not in ("", str(ROOT)))]
    sys.modules.pop("tests", None)
    os.environ["PYTHONPATH"] = str(folder)
    asked = ["-q", "-x", "-p", "no:cacheprovider", f"--basetemp={folder}.tmp", *find_tests(file)]
    if file.startswith("sim/games"):
        os.environ["NUMBA_DISABLE_JIT"] = "1"
        sys.modules["numba"].config.reload_config()
        asked += ["-m", "plain"]
    return int(sys.modules["pytest"].main(asked))


def run_mutants(mutants: Sequence[tuple[str, Mutant | None]], copies: list[Path]) -> Iterator[tuple[int, bool]]:
    """Run the tests of files, each with its mutant if it has one, as many at a time as there are copies.

    Yields:
        The number of a mutant, and whether a test has failed.
    """
    waiting = list(enumerate(mutants))[::-1]
    running: dict[int, tuple[int, Path, Path, bytes]] = {}
    while waiting or running:
        while waiting and copies:
            number, (file, mutant) = waiting.pop()
            folder = copies.pop()
            source = (folder / file).read_bytes()
            if mutant:
                changed = source[: mutant.start] + mutant.new.encode() + source[mutant.end :]
                (folder / file).write_bytes(changed)
            running[start_tests(folder, file)] = number, folder, folder / file, source
        process, status = os.wait()
        number, folder, place, source = running.pop(process)
        place.write_bytes(source)
        copies.append(folder)
        yield number, status != 0


def name_part(file: str) -> str:
    """Return the part of the project that a file belongs to: measures of games, the rules of a game, or a folder."""
    return "measures of games" if file.endswith("/measures.py") else file.rpartition("/")[0]


def read_equivalent() -> set[str]:
    """Return the mutants that are argued to change nothing; a line with a blank in front is a reason."""
    return {line for line in EQUIVALENT.read_text().splitlines() if line and line[0] not in " #"}


def main() -> int:
    parser = argparse.ArgumentParser(description="Plant small faults, and see whether the tests notice.")
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="", help="a part of the names of the files")
    asked = parser.parse_args()
    files = sorted(name for name in list_tracked_files() if find_tests(name) and asked.only in name)
    mutants = [mutant for file in files for mutant in find_mutants(file)]
    equivalent = read_equivalent()
    sample = random.Random(asked.seed).sample(mutants, min(asked.sample, len(mutants)))
    alive = [mutant for mutant in sample if mutant.name not in equivalent]
    print(f"{len(mutants)} mutants of {len(files)} files; {len(sample)} of them, of which "
          f"{len(sample) - len(alive)} are argued to be equivalent", flush=True)
    for library in LIBRARIES:
        importlib.import_module(library)
    caught: dict[int, bool] = {}
    with tempfile.TemporaryDirectory() as place:
        copies = [copy_project(Path(place) / str(number)) for number in range(asked.jobs)]
        by_tests = {tuple(find_tests(mutant.file)): mutant.file for mutant in alive}
        unchanged = [(file, None) for file in by_tests.values()]
        failing = [unchanged[number][0] for number, is_found in run_mutants(unchanged, copies) if is_found]
        if failing:
            print(f"the tests of {', '.join(failing)} fail without any mutant")
            return 2
        for number, is_found in run_mutants([(mutant.file, mutant) for mutant in alive], copies):
            caught[number] = is_found
            if not is_found:
                print(f"survives: {alive[number].name}  (line {alive[number].line})", flush=True)
            if len(caught) % 10 == 0:
                print(f"{len(caught)} run, {sum(caught.values())} caught", flush=True)
    return 0 if print_rates(alive, caught) >= 0.9 else 1


def print_rates(mutants: Sequence[Mutant], caught: dict[int, bool]) -> float:
    """Print the rate of caught mutants of each part and of all, and return that of all."""
    from hardmode.studies.stats.estimates import wilson_rate  # here, as forks must import their own copy

    parts: dict[str, list[bool]] = {}
    for number, is_found in caught.items():
        parts.setdefault(name_part(mutants[number].file), []).append(is_found)
    for part, found in [*sorted(parts.items()), ("all", list(caught.values()))]:
        rate = wilson_rate(sum(found), len(found))
        print(f"{part}: caught {sum(found)} of {len(found)}: {rate.value:.1%} ({rate.low:.1%} .. {rate.high:.1%})")
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{spent.ru_utime + spent.ru_stime:,.0f} seconds of CPU time")
    return rate.value


if __name__ == "__main__":
    sys.exit(main())
