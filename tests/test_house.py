"""The architecture: calls go downward only, no room names a game of another, and the code reads like plain English."""

import ast
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from hardmode.scenarios.box import load_parameters
from tests import readability

ROOT = Path(__file__).parents[1]
FLOORS = {"hardmode": 4, "cli": 4, "reports": 3, "studies": 2, "scenarios": 1, "strategies": 1, "sim": 0}
MAX_NODES_PER_LINE = 9.5
MAX_IMPORTS = 18
MAX_CLUSTER_LINES = 460  # of code: scheduling, retries and lost workers are left to Dask
GAMES = sorted(p.name for p in (ROOT / "sim" / "games").iterdir() if (p / "__init__.py").exists())
SKELETON = {"names", "records", "setup", "decisions", "measures", "redeal", "labels", "box", "words",
            "story"}


@cache
def modules() -> dict[str, Path]:
    """The product's modules, by the names under which the rooms lie in the repository."""
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.py"], cwd=ROOT, check=True, text=True,
                           capture_output=True).stdout.split()
    paths = [Path(n) for n in names if Path(n).parts[0].removesuffix(".py") in FLOORS and (ROOT / n).exists()]
    return {".".join(p.with_suffix("").parts).removesuffix(".__init__"): ROOT / p for p in paths}


@cache
def calls() -> dict[str, set[str]]:
    """The modules that each module imports, wherever in it."""
    return {name: {hit for node in ast.walk(ast.parse(path.read_text())) for hit in _meant(node)} - {name}
            for name, path in modules().items()}


def _meant(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        names = [a.name for a in node.names]
    elif isinstance(node, ast.ImportFrom):
        assert not node.level, "an import by dots, which this test does not follow"
        names = [f"{node.module}.{a.name}" for a in node.names]
    else:
        return []
    return [hit for hit in map(_module, names) if hit]


def _module(name: str) -> str | None:
    """The module that an import means: its own name, or that of the module that holds it."""
    for known in (name.removeprefix("hardmode."), name.removeprefix("hardmode.").rpartition(".")[0]):
        if name.startswith("hardmode.") and known in modules():
            return known
    return "hardmode" if name.split(".")[0] == "hardmode" else None


def reached(start: set[str], within: str = "") -> set[str]:
    seen, todo = set(), {name for name in start if name in modules()}
    while todo:
        seen.add(name := todo.pop())
        todo |= {t for t in calls()[name] if t.startswith(within)} - seen
    return seen


def test_the_calls_are_seen():
    assert "sim.play.kernel" in calls()["sim.play.engine"] and "studies.core.run" in calls()["hardmode"]


def test_calls_go_downward_only():
    floor = {name: FLOORS[name.split(".")[0]] for name in modules()}
    up = [f"{a} -> {b}" for a, targets in calls().items() for b in targets if floor[a] < floor[b]]
    assert not up


def test_no_call_leads_back_to_where_it_came_from():
    assert not [name for name in modules() if name in reached(calls()[name])]


@cache
def measured_modules():
    return readability.load_modules()


@cache
def measured_report():
    return readability.measure(measured_modules())


@pytest.mark.parametrize("name", readability.GOALS)
def test_the_code_is_readable(name):
    """Run `python -m tests.readability --places 20` to see the places behind a figure."""
    report = measured_report()
    assert readability.GOALS[name].is_met(report.figures[name]), report.places.get(name, [])[:20]


@pytest.mark.parametrize("room", readability.ROOMS)
def test_lines_of_a_room_are_not_dense(room):
    modules = [m for m in measured_modules() if m.file.startswith(f"{room}/")]
    nodes_per_line = sum(m.nodes for m in modules) / sum(m.code_lines for m in modules)
    assert nodes_per_line <= MAX_NODES_PER_LINE


def test_the_machinery_of_the_compiler_stays_small():
    modules = readability.list_machinery()
    lines, nodes = sum(m.code_lines for m in modules), sum(m.nodes for m in modules)
    assert lines <= readability.MAX_MACHINERY_LINES and nodes <= 9.5 * lines
    [engine] = (m for m in modules if m.file.endswith("numba_engine.py"))
    assert engine.code_lines <= readability.MAX_ENGINE_LINES and engine.nodes <= 9.5 * engine.code_lines


def test_the_backend_for_clusters_stays_small():
    modules = [m for m in measured_modules() if m.file.startswith("studies/cluster/")]
    lines, nodes = sum(m.code_lines for m in modules), sum(m.nodes for m in modules)
    assert lines <= MAX_CLUSTER_LINES and nodes <= MAX_NODES_PER_LINE * lines


def test_the_plots_stay_small():
    modules = [m for m in measured_modules() if m.file.startswith("reports/plots/")]
    lines, nodes = sum(m.code_lines for m in modules), sum(m.nodes for m in modules)
    assert lines <= readability.MAX_PLOT_LINES and nodes <= readability.MAX_PLOT_NODES


def test_modules_import_few_others():
    assert not {m.file: len(m.own_imports) for m in measured_modules() if len(m.own_imports) > MAX_IMPORTS}


def test_no_module_uses_private_names_of_another():
    modules = [m for m in measured_modules() if not m.file.startswith(OF_THE_COMPILER)]
    private = [f"{m.file}: {name}" for m in modules for name in foreign_private_names(m.tree)]
    assert not private


PUBLIC_DESPITE_THE_DASH = {"_replace", "_fields", "_asdict", "_make", "_missing_", "_value_", "_exit"}
OF_THE_COMPILER = "sim/compile/"  # reads private attributes of numba, which another test lists


def foreign_private_names(tree: ast.Module) -> list[str]:
    """Private names that are imported from modules of the project, or read from objects that another module defines."""
    imports = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and (n.module or "").startswith("hardmode")]
    imported = [alias.name for node in imports for alias in node.names if is_private(alias.name)]
    own = own_private_names(tree)
    read = [
        f"{ast.unparse(node.value)}.{node.attr}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and is_private(node.attr) and node.attr not in own
    ]
    return imported + read


def own_private_names(tree: ast.Module) -> set[str]:
    """Private functions, classes, variables, fields and attributes that a module defines itself."""
    names = set(PUBLIC_DESPITE_THE_DASH)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.attr)
        elif isinstance(node, ast.Constant) and is_private(str(node.value)):
            names.add(str(node.value))  # of `__slots__`, or set by name
    return names


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def test_private_names_of_others_are_seen():
    code = "from hardmode.sim.draws import _mix\nclass A(B):\n  def _own(self):\n    self._own() + self._stage()\n"
    assert foreign_private_names(ast.parse(code)) == ["_mix", "self._stage"]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_the_skeleton(game):
    """Unless all its rules stand in one module, as those of a small game may."""
    own = {name.rpartition(".")[2] for name in modules() if name.startswith(f"sim.games.{game}.")}
    assert own >= SKELETON or own == {"words"}


@pytest.mark.parametrize("game", GAMES)
def test_no_rule_is_reached_by_strategies_alone(game):
    own = f"sim.games.{game}"
    rules = reached({own, f"{own}.words", f"{own}.box"}, own)
    players = {t for name, targets in calls().items() if name.startswith("strategies") for t in targets
               if t.startswith(own)}
    assert players and not reached(players, own) - rules


def test_no_game_is_named_outside_its_rooms():
    """But for the examples of docstrings, which are of no effect."""
    rooms = ("sim.games.", *(f"strategies.{game}" for game in GAMES))
    named = {(name, text) for name, path in modules().items() if not name.startswith(rooms)
             for text in _texts(ast.parse(path.read_text())) for game in GAMES if game in text}
    assert not named


def _texts(tree: ast.Module) -> set[str]:
    """All names and constants of a module but its docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            node.body = node.body[1:]
    return set(ast.unparse(tree).splitlines())


RULES = {page.stem: page.read_text() for page in (ROOT / "docs" / "rules").iterdir()}


def named(game: str) -> set[str]:
    """What the page of a game's rules names with a dot in it."""
    return set(re.findall(r"`([a-z_0-9]+(?:\.[a-z_0-9]+)+)`", RULES[game]))


def functions(game: str, decorator: str = "") -> dict[str, set[str]]:
    """The functions of a game, or those with a decorator, each with the names that a page may give it."""
    return {f"{name}.{node.name}": _endings(f"{name}.{node.name}")
            for name, path in modules().items() if name.startswith(f"sim.games.{game}.")
            for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)
            if not decorator or decorator in map(ast.unparse, node.decorator_list)}


@pytest.mark.parametrize("game", sorted(RULES))
def test_what_the_page_of_the_rules_names_is_there(game):
    """Each is a function of the game's, a number of its box, or a file."""
    known = set().union(*functions(game).values())
    numbers = {".".join(leaf.split(".")[:n]) for leaf in load_parameters(game) for n in range(2, leaf.count(".") + 2)}
    files = {path.name for room in (f"scenarios/{game}", f"strategies/{game}", f"sim/games/{game}")
             for path in (ROOT / room).iterdir()}
    assert len(named(game) & known) > 40 and not named(game) - known - numbers - files


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_on_the_page_of_the_rules(game):
    """So that whoever wants to change one finds its function, and whoever reads one finds the rule it is of."""
    rules = functions(game, "rule")
    assert len(rules) > 50 and not [rule for rule, names in rules.items() if not names & named(game)]


def _endings(name: str) -> set[str]:
    """The last parts of a name, as a page may write it."""
    parts = name.split(".")
    return {".".join(parts[i:]) for i in range(3, len(parts) - 1)}
