"""How much the tests notice: small faults are planted in the code, one at a time, and the tests must fail.

    python -m tests.mutants [--sample 300] [--seed 1] [--jobs 2] [--only PART]

A mutant is a copy of the project in which one operator, number or condition of a module of `TARGETS` is changed, or one
statement is left out. Texts and types are left alone. A seeded sample of all mutants is run, each against the
tests of its module until one of them fails. The rate of caught mutants is printed with its Wilson interval, and each
survivor with its place. `equivalent_mutants.txt` beside this file argues, one by one, why some change nothing.

mutmut 3 finds no test of any mutant, as it names modules by their files, but they are imported through the links in
`hardmode/`. cosmic-ray changes the files in place and has one list of tests for all modules, and no sample.
"""

from __future__ import annotations

import argparse
import ast
import copy
import fnmatch
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import SimpleQueue

from hardmode.studies.stats.estimates import wilson_rate

ROOT = Path(__file__).resolve().parents[1]
EQUIVALENT = ROOT / "tests" / "equivalent_mutants.txt"
CPU_SECONDS = 400  # a mutant that takes longer hangs: it is caught; no test file takes a quarter of it
PLAIN = {"NUMBA_DISABLE_JIT": "1"}
RULES = ("box", "clues", "curses", "decisions", "end_of_round", "monster", "redeal", "round", "setup", "traps", "turn")
GAMES = ("run_run_run", "trapwords", "vengeance", "woodlands")

# Modules by pattern, and the tests that concern them, the quickest first. Tests of games run as plain Python.
TARGETS = {
    "sim/results/*.py": "sim/test_tally.py sim/test_sums.py sim/test_rows.py sim/test_results.py",
    "studies/stats/estimates.py": "reports/test_estimates_edges.py reports/test_estimates.py",
    "studies/stats/formatting.py": "reports/test_estimates.py reports/test_amounts.py",
    "studies/stats/sobol.py": "studies/test_shares.py",
    "studies/stats/response_surface.py": "studies/test_solve.py",
    "studies/stats/verdict_chances.py": "reports/test_sequential.py reports/test_gate_plan.py",
    "studies/stats/*.py": "reports/test_amounts.py reports/test_sequential.py",
    "studies/gate/power.py": "reports/test_gate_plan.py",
    "studies/gate/*.py": "reports/test_baselines.py studies/test_gate_engines.py reports/test_gate.py "
    "reports/test_gate_ci.py",
    **{f"sim/games/{game}/measures.py": f"games/test_measures_declared.py games/{game}" for game in GAMES},
    **{f"sim/games/trapwords/{rules}.py": "games/trapwords" for rules in RULES},
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
    return folder


def is_caught(mutant: Mutant | None, file: str, copies: SimpleQueue[Path]) -> bool:
    """Return whether a test of a file fails with a mutant, or without any if there is None."""
    folder = copies.get()
    tests, place = find_tests(file), folder / file
    source = place.read_bytes()
    is_game = file.startswith("sim/games")
    paths = {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *(["-m", "plain"] * is_game)]
    try:
        if mutant:
            place.write_bytes(source[: mutant.start] + mutant.new.encode() + source[mutant.end :])
        limit = partial(resource.setrlimit, resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
        done = subprocess.run([*command, *tests], cwd=folder, env={**os.environ, **paths, **(PLAIN if is_game else {})},
                              preexec_fn=limit, capture_output=True, check=False)
        return done.returncode != 0
    finally:
        place.write_bytes(source)
        copies.put(folder)


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
    with tempfile.TemporaryDirectory() as place, ThreadPoolExecutor(asked.jobs) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        for number in range(asked.jobs):
            copies.put(copy_project(Path(place) / str(number)))
        by_tests = {tuple(find_tests(mutant.file)): mutant.file for mutant in alive}
        sound = pool.map(lambda file: not is_caught(None, file, copies), by_tests.values())
        failing = [file for file, is_sound in zip(by_tests.values(), sound, strict=True) if not is_sound]
        if failing:
            print(f"the tests of {', '.join(failing)} fail without any mutant")
            return 2
        caught = []
        for mutant, is_found in zip(alive, pool.map(lambda m: is_caught(m, m.file, copies), alive), strict=True):
            caught.append(is_found)
            if not is_found:
                print(f"survives: {mutant.name}  (line {mutant.line})", flush=True)
            if len(caught) % 10 == 0:
                print(f"{len(caught)} run, {sum(caught)} caught", flush=True)
    rate = wilson_rate(sum(caught), len(caught))
    print(f"caught {sum(caught)} of {len(caught)}: {rate.value:.1%} ({rate.low:.1%} .. {rate.high:.1%})")
    return 0 if rate.value >= 0.9 else 1


if __name__ == "__main__":
    sys.exit(main())
