"""How much the tests notice: small faults are planted in the code, one at a time, and the tests must fail.

    python -m tests.mutants [--sample 300] [--seed 1] [--jobs 2] [--only PART]

A mutant is a copy of the project in which one operator, number or condition of a module of `TARGETS` is changed, or one
statement is left out. Texts, types and `strict` of zip are left alone. A seeded sample of all mutants is run, each
against the tests of its module until one of them fails. The rate of caught mutants is printed with its Wilson interval,
and each survivor with its place. `equivalent_mutants.txt` beside this file argues, one by one, why some change nothing.

Everything is imported once for all mutants with the same tests, and each is a fork in which one function gets other
code. A mutant that is not in a function is written into its file, and all is imported anew.

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
import inspect
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
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
EQUIVALENT = ROOT / "tests" / "equivalent_mutants.txt"
CPU_SECONDS = 100  # a mutant that takes longer hangs: it is caught; no list of tests takes a quarter of it
WAIT_SECONDS = 7200  # the same for one that waits for ever
NOT_PLANTED = 77  # exit code: the mutant is not in a function
# What every run of the tests would import anew: it is imported once, and each run is a fork of the process.
LIBRARIES = ("hypothesis", "jsonschema", "numba", "numpy", "polars", "pydantic", "pytest", "rich", "ruamel.yaml",
             "scipy.special", "scipy.stats", "statsmodels.stats.proportion", "typer")
RULES = ("box", "clues", "curses", "decisions", "end_of_round", "monster", "redeal", "round", "setup", "traps", "turn")
GAMES = ("run_run_run", "trapwords", "vengeance", "woodlands")

# Modules by pattern, and the tests that concern them, the quickest first. Tests of games run as plain Python.
TARGETS = {
    "sim/results/*.py": "sim/test_result_values.py sim/test_tally.py sim/test_sums.py",
    "studies/stats/estimates.py": "studies/test_stat_values.py reports/test_estimates_edges.py",
    "studies/stats/bounds.py": "studies/test_stat_values.py "
    "reports/test_sequential.py::test_bounds_of_pairs_are_tangos_with_corrections",
    "studies/stats/*.py": "studies/test_stat_values.py",
    "studies/gate/*.py": "studies/test_gate_values.py",
    **{f"sim/games/{game}/measures.py": f"games/test_measures_declared.py games/{game}/test_{game}_measures.py"
       for game in GAMES},
    **{f"sim/games/trapwords/{rules}.py": "games/trapwords/test_trapwords_values.py "
       "games/trapwords/test_trapwords_details.py games/trapwords/test_trapwords_board.py "
       "games/trapwords/test_trapwords_cards.py games/trapwords/test_trapwords_scenes.py games/test_accepted_games.py "
       "games/trapwords/test_trapwords_words.py"
       for rules in RULES},
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
    function: str
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
            yield Mutant(file, function, node.lineno, start, end, text, f"{file} {function}: {old} => {new}")


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


class MutantPlugin:
    """A plugin of pytest that runs the collected tests once for each mutant, in a fork of the process.

    So nothing is imported anew for a mutant: the changed function gets its code. What is not in a function is left.
    """

    def __init__(self, folder: Path, jobs: int, mutants: Sequence[Mutant | None], pipe: int) -> None:
        self.folder, self.jobs, self.mutants = folder, jobs, mutants
        self.pipe = pipe  # for the number of each mutant, and the exit code of its tests

    def pytest_runtestloop(self, session: Any) -> bool | None:
        """Go on with the tests in each fork, and leave them out in the process itself."""
        running: dict[int, int] = {}
        for number, mutant in enumerate(self.mutants):
            if len(running) == self.jobs:
                self._wait(running)
            process = os.fork()
            if not process:
                limit_resources()
                temporary = Path(f"{self.folder}.{number}")
                temporary.mkdir()
                os.environ["PYTEST_DEBUG_TEMPROOT"] = str(temporary)
                if mutant and not change_code(mutant, self.folder):
                    os._exit(NOT_PLANTED)
                return None
            running[process] = number
        while running:
            self._wait(running)
        return True

    def _wait(self, running: dict[int, int]) -> None:
        process, status = os.wait()
        number = running.pop(process)
        shutil.rmtree(f"{self.folder}.{number}", ignore_errors=True)
        os.write(self.pipe, f"{number} {os.waitstatus_to_exitcode(status)}\n".encode())


def change_code(mutant: Mutant, folder: Path) -> bool:
    """Give the function of a mutant its changed code; return whether that plants the mutant."""
    place = folder / mutant.file
    source = place.read_bytes()
    changed = source[: mutant.start] + mutant.new.encode() + source[mutant.end :]
    code = compile(changed, str(place), "exec", dont_inherit=True)
    found: Any = importlib.import_module("hardmode." + mutant.file.removesuffix(".py").replace("/", "."))
    for name in filter(None, mutant.function.split(".")):
        code = next(c for c in code.co_consts if getattr(c, "co_name", None) == name)
        found = vars(found)[name]
        found = getattr(found, "fget", None) or getattr(found, "func", found)  # of a property
        if not isinstance(found, type):
            break
    function = inspect.unwrap(getattr(found, "__func__", found))
    if not inspect.isfunction(function) or function.__code__ == code:
        return False
    function.__code__ = code
    return True


def limit_resources() -> None:
    """End this process when it hangs, so that its mutant is caught."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    signal.alarm(WAIT_SECONDS)


def run_tests(folder: Path, file: str, plugin: MutantPlugin | None = None) -> int:
    """Run the tests of a file in a copy of the project until one fails; return the exit code of pytest."""
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(silence, stream)
    os.chdir(folder)
    sys.path[:] = [str(folder), *(place for place in sys.path if place not in ("", str(ROOT)))]
    sys.modules.pop("tests", None)
    os.environ["PYTHONPATH"] = str(folder)
    asked = ["-q", "-x", "-p", "no:cacheprovider", *find_tests(file)]
    if file.startswith("sim/games"):
        os.environ["NUMBA_DISABLE_JIT"] = "1"
        sys.modules["numba"].config.reload_config()
        asked += ["-m", "plain"]
    if not plugin:
        limit_resources()
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(folder.parent)
    return int(sys.modules["pytest"].main(asked, plugins=[plugin] if plugin else []))


def run_in_forks(mutants: Sequence[Mutant | None], file: str, folder: Path, jobs: int) -> Iterator[tuple[int, int]]:
    """Run the tests of a file with each of its mutants, and yield their numbers and exit codes."""
    reading, writing = os.pipe()
    process = os.fork()
    if not process:
        code = 1
        with suppress(BaseException):
            code = run_tests(folder, file, MutantPlugin(folder, jobs, mutants, writing))
        os._exit(code)
    os.close(writing)
    with open(reading) as pipe:
        for line in pipe:
            number, code = line.split()
            yield int(number), int(code)
    os.waitpid(process, 0)


def is_caught(mutant: Mutant, folder: Path) -> bool:
    """Return whether a test fails with a mutant that is written into its file."""
    place = folder / mutant.file
    source = place.read_bytes()
    place.write_bytes(source[: mutant.start] + mutant.new.encode() + source[mutant.end :])
    process = os.fork()
    if not process:
        code = 1
        with suppress(BaseException):
            code = run_tests(folder, mutant.file)
        os._exit(code)
    _, status = os.waitpid(process, 0)
    place.write_bytes(source)
    return status != 0


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
    by_tests: dict[tuple[str, ...], list[int]] = {}
    for number, mutant in enumerate(alive):
        by_tests.setdefault(tuple(find_tests(mutant.file)), []).append(number)
    caught: dict[int, bool] = {}
    with tempfile.TemporaryDirectory() as place:
        folder = copy_project(Path(place) / "copy")
        for numbers in by_tests.values():
            for number, is_found in run_group([alive[number] for number in numbers], folder, asked.jobs):
                caught[numbers[number]] = is_found
                print(f"{len(caught)} run, {sum(caught.values())} caught", flush=True)
    return 0 if print_rates(alive, caught) >= 0.9 else 1


def run_group(mutants: Sequence[Mutant], folder: Path, jobs: int) -> Iterator[tuple[int, bool]]:
    """Yield the number of each of several mutants with the same tests, and whether a test fails."""
    file = mutants[0].file
    in_files = []  # these are written into their files when no other tests run there
    for number, code in run_in_forks([None, *mutants], file, folder, jobs):
        if number == 0 and code:
            raise SystemExit(f"the tests of {file} fail without any mutant")
        if number and code == NOT_PLANTED:
            in_files.append(number - 1)
        elif number:
            yield report_mutant(number - 1, mutants[number - 1], code != 0)
    for number in in_files:
        yield report_mutant(number, mutants[number], is_caught(mutants[number], folder))


def report_mutant(number: int, mutant: Mutant, is_found: bool) -> tuple[int, bool]:
    """Print a mutant that survives, and return its number and whether it was caught."""
    if not is_found:
        print(f"survives: {mutant.name}  (line {mutant.line})", flush=True)
    return number, is_found


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
