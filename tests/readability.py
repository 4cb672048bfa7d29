"""Readability of the code outside the games: how names, docstrings and lines read, in figures.

    python -m tests.readability [--places 20]
    python -m tests.readability --sizes sim/compile

Functions, methods and classes are counted outside `sim/games`, outside the strategies of single games and outside the
tests. `GOALS` holds the limit of each figure; well-known packages (icepool, msprime, mesa, typer) meet them.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("sim", "scenarios", "studies", "reports", "strategies")
MAX_COLUMNS = 100

VERBS = frozenset(
    """
    accept acquire add adjust advance aggregate align allocate analyze annotate append apply approximate assert assign
    attach average begin bind block bound build call can cancel cast change check choose clamp classify clear clip clone
    close collect combine compare compile complete compress compute configure connect construct consume contains convert
    copy count cover create crop cut deal decide decode decompress decrease deduplicate define delete derive describe
    detach detect determine diff disable discard discover discretize dispatch display distribute divide do download draw
    drop dump emit enable encode end ensure enter enumerate escape estimate evaluate evict exclude execute exit expand
    expect explain export expose extend extract fail fetch fill filter finalize find finish fit fix flag flatten flip
    flush fold forbid forecast format forward freeze gain gather generate get group guess handle has hash hide hold
    identify ignore import include increase increment index infer inherit init initialize inline insert inspect install
    interpolate interrupt intersect invalidate invert is iter iterate join keep label launch lay limit link list listen
    load locate lock log look lookup loop make map mark mask match maximize measure merge minimize mix move multiply
    name narrow needs normalize notify number observe offer open optimize order override pack pad parse partition pass
    paste patch pause peek perform permute persist perturb pick place play plot pop populate post precompile precompute
    predict prefer prepare print process produce profile propagate propose prove prune publish pull push put query queue
    raise random rank read rebuild receive recompute record recover reduce refine refresh refuse register reject release
    reload remap remove rename render repeat replace replay report request require reroll resample reserve reset resize
    resolve restart restore restrict resume retrieve retry return reuse reveal reverse rewrite roll rotate round run
    sample save scale scan schedule score screen search seek select send serialize serve set setup shift should show
    shrink shuffle shut simplify simulate skip slice solve sort spawn spend split stack start step stop store stream
    strip submit subtract sum suppress swap switch sync take teardown tell terminate test throw tick to toggle trace
    track train transform translate transpose traverse trim truncate try tune uncover undo unpack unregister update
    upgrade upload use validate verify visit wait walk warm warn watch weight will with wrap write yield
    """.split()
)
PARTICIPLE = re.compile(
    r"(ed|told|seen|made|found|said|held|kept|drawn|known|shown|dealt|begun|met|meant|left|done|given|taken|chosen"
    r"|written|spoken|beaten|gone|heard|sent|built|worn|brought|borne|spent|won)$"
)
RIDDLES = frozenset(
    """
    what who whose whether where which how so those as of that when once by whatever whoever while not with without none
    nothing nobody
    """.split()
)
PERSONS = re.compile(
    r"\b(nobody|somebody|whoever|whatever|anybody|none where|nothing where|so many|so much|told|said|meant)\b", re.I
)
SECTIONS = re.compile(r"(:param|:return|Args:|Arguments:|Parameters|Returns:|Yields:|Raises:|Example)")

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Place:
    """A function, method or class, and where it is defined."""

    node: Definition
    file: str
    owner: str | None
    is_property: bool

    @property
    def is_function(self) -> bool:
        return not isinstance(self.node, ast.ClassDef)

    @property
    def first_doc_word(self) -> str:
        start = re.match(r"[`'\"(]*([A-Za-z']+)", ast.get_docstring(self.node) or "")
        return start[0].strip("`'\"(").lower() if start else ""

    def __str__(self) -> str:
        return f"{self.file}:{self.node.lineno} {self.node.name}"


@dataclass
class Module:
    """One file with its syntax tree and counts."""

    file: str
    tree: ast.Module
    lines: list[str]
    places: list[Place] = field(default_factory=list)

    @property
    def nodes(self) -> int:
        return sum(1 for _ in ast.walk(self.tree))

    @property
    def code_lines(self) -> int:
        """Lines that are neither blank, comments nor docstrings."""
        documentation: set[int] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Module | Definition) and ast.get_docstring(node, clean=False) is not None:
                documentation.update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
        return sum(
            1
            for number, line in enumerate(self.lines, 1)
            if line.strip() and not line.strip().startswith("#") and number not in documentation
        )

    @property
    def comprehensions(self) -> int:
        kinds = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
        return sum(isinstance(node, kinds) for node in ast.walk(self.tree))

    @property
    def own_imports(self) -> set[str]:
        imports = (node for node in ast.walk(self.tree) if isinstance(node, ast.ImportFrom) and node.module)
        return {node.module for node in imports if node.level or node.module.split(".")[0] == "hardmode"}


def split_words(name: str) -> list[str]:
    """Return the lower-case words of an identifier in snake or camel case."""
    parts = re.split(r"[_\W\d]+", name)
    return [w.lower() for part in parts for w in re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+", part)]


def find_places(tree: ast.AST, file: str, owner: str | None = None) -> Iterator[Place]:
    """Yield all functions, methods and classes below a node, but no magic methods."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, Definition):
            decorators = {getattr(d, "id", getattr(d, "attr", "")) for d in child.decorator_list}
            if not (child.name.startswith("__") and child.name.endswith("__")):
                yield Place(child, file, owner, bool(decorators & {"property", "cached_property", "setter"}))
            yield from find_places(child, file, child.name if isinstance(child, ast.ClassDef) else owner)


def load_modules(root: Path = ROOT) -> list[Module]:
    """Return the modules that are measured."""
    modules = []
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            folders = path.relative_to(root / room).parts[:-1]
            is_game = "games" in folders or (room == "strategies" and folders)
            if not is_game and "__pycache__" not in folders:
                text = path.read_text()
                module = Module(str(path.relative_to(root)), ast.parse(text), text.splitlines())
                module.places = list(find_places(module.tree, module.file))
                modules.append(module)
    return modules


def percent(part: float, whole: float) -> float:
    """Return a share in percent with one decimal."""
    return round(100 * part / max(1, whole), 1)


@dataclass(frozen=True)
class Goal:
    """A limit of one figure: at least or at most this much."""

    limit: float
    at_least: bool = False

    def is_met(self, value: float) -> bool:
        return value >= self.limit if self.at_least else value <= self.limit


GOALS = {
    "functions named verb first, %": Goal(45, at_least=True),
    "functions named by one participle, %": Goal(2),
    "functions named by one word, %": Goal(40),
    "public names defined in several modules, %": Goal(6),
    "docstrings that begin as a riddle, %": Goal(2),
    "docstrings that speak of persons, %": Goal(1),
    "docstrings with arguments, result or example, %": Goal(15, at_least=True),
    "syntax nodes per line of code": Goal(9.5),
    "comprehensions per 1,000 lines of code": Goal(45),
    "lines over 100 columns, %": Goal(2),
    "imports of own modules, most in one": Goal(18),
}


@dataclass
class Report:
    """The figures, and for each figure the places that count against it."""

    figures: dict[str, float]
    places: dict[str, list[str]]


def measure(modules: list[Module]) -> Report:
    """Compute all figures of `GOALS` over some modules."""
    report = Report({}, {})
    everything = [place for module in modules for place in module.places]
    functions = [p for p in everything if p.is_function and not p.is_property and split_words(p.node.name)]
    documented = [p for p in everything if ast.get_docstring(p.node)]

    def add_share(name: str, population: list[Place], counts: Callable[[Place], object]) -> None:
        chosen = [p for p in population if counts(p)]
        against = [p for p in population if p not in chosen] if GOALS[name].at_least else chosen
        report.figures[name] = percent(len(chosen), len(population))
        report.places[name] = [str(p) for p in against]

    def word(p: Place) -> str:
        return split_words(p.node.name)[0]

    def is_one_word(p: Place) -> bool:
        return len(split_words(p.node.name)) == 1

    def docstring(p: Place) -> str:
        return ast.get_docstring(p.node) or ""

    add_share("functions named verb first, %", functions, lambda p: word(p) in VERBS)
    add_share(
        "functions named by one participle, %", functions, lambda p: is_one_word(p) and PARTICIPLE.search(word(p))
    )
    add_share("functions named by one word, %", functions, is_one_word)
    add_share("docstrings that begin as a riddle, %", documented, lambda p: p.first_doc_word in RIDDLES)
    add_share("docstrings that speak of persons, %", documented, lambda p: PERSONS.search(docstring(p)))
    add_share(
        "docstrings with arguments, result or example, %", documented, lambda p: SECTIONS.search(docstring(p))
    )

    defined = defaultdict(set)
    for place in everything:
        if place.owner is None and not place.node.name.startswith("_"):
            defined[place.node.name].add(place.file)
    repeated = {name: files for name, files in defined.items() if len(files) > 1}
    name = "public names defined in several modules, %"
    report.figures[name] = percent(len(repeated), len(defined))
    report.places[name] = [f"{key}: {', '.join(sorted(files))}" for key, files in sorted(repeated.items())]

    code_lines = sum(module.code_lines for module in modules)
    all_lines = [(m.file, n, line) for m in modules for n, line in enumerate(m.lines, 1)]
    too_long = [(file, n) for file, n, line in all_lines if len(line) > MAX_COLUMNS]
    imports = max((len(m.own_imports), m.file) for m in modules)
    report.figures["syntax nodes per line of code"] = round(sum(m.nodes for m in modules) / code_lines, 1)
    report.figures["comprehensions per 1,000 lines of code"] = round(
        1000 * sum(m.comprehensions for m in modules) / code_lines
    )
    report.figures["lines over 100 columns, %"] = percent(len(too_long), len(all_lines))
    report.places["lines over 100 columns, %"] = [f"{file}:{n}" for file, n in too_long]
    report.figures["imports of own modules, most in one"] = imports[0]
    report.places["imports of own modules, most in one"] = [imports[1]]
    return report


# What turns rules into machine code and keeps it: without messages to authors and imports of their code.
MESSAGES = {"sim/compile/errors.py", "sim/compile/source_location.py", "sim/compile/safe_import.py"}
MAX_MACHINERY_LINES, MAX_ENGINE_LINES = 900, 300
MAX_PLOT_LINES, MAX_PLOT_NODES = 450, 4500


def list_machinery() -> list[Module]:
    """Return the modules of the compiler machinery."""
    return [m for m in load_modules() if m.file.startswith("sim/compile/") and m.file not in MESSAGES]


def print_sizes(folder: str) -> None:
    """Print the lines of code of each module of a folder, and the syntax nodes a line."""
    modules = [module for module in load_modules() if module.file.startswith(folder) and module.code_lines]
    for module in modules:
        print(f"{module.file:40} {module.code_lines:6} {module.nodes / module.code_lines:6.1f}")
    lines, nodes = sum(m.code_lines for m in modules), sum(m.nodes for m in modules)
    print(f"{'all':40} {lines:6} {nodes / max(1, lines):6.1f}")


def main(words: list[str]) -> None:
    """Print the figures; with `--places N`, up to N places behind each of them; with `--sizes`, a folder's sizes."""
    if "--sizes" in words:
        print_sizes(words[words.index("--sizes") + 1])
        return
    shown = int(words[words.index("--places") + 1]) if "--places" in words else 0
    report = measure(load_modules())
    for name, goal in GOALS.items():
        value = report.figures[name]
        sign, mark = (">=" if goal.at_least else "<="), ("" if goal.is_met(value) else "  <- missed")
        print(f"{name:50} {value:8} {sign} {goal.limit}{mark}")
        for place in report.places.get(name, ())[:shown]:
            print(f"    {place}")


if __name__ == "__main__":
    main(sys.argv[1:])
