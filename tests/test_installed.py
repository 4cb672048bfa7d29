"""What is installed is one package, and it works beside anything that a project of one's own is called."""

import email
import fnmatch
import json
import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from playing import answer

ROOT = Path(__file__).parents[1]
ROOMS = ("sim", "reports", "scenarios", "strategies", "studies")
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]


def run(*command, cwd, **env):
    done = subprocess.run([sys.executable, *map(str, command)], cwd=cwd, env={**os.environ, **env}, text=True,
                          capture_output=True, timeout=900)
    assert done.returncode == 0, f"{command}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def list_source_files():
    """Return the files of the checkout that git does not ignore, by their paths in it."""
    names = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, check=True, text=True,
                           capture_output=True).stdout
    return [name for name in names.split("\0") if name and os.path.lexists(ROOT / name)]


def build_wheel(folder, names):
    """Return a wheel built from a copy of these files, so that nothing of an earlier build is in it."""
    for name in names:
        (folder / "copy" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / "copy" / name, follow_symlinks=False)
    run("-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", folder, folder / "copy", cwd=folder)
    [made] = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build_wheel(tmp_path_factory.mktemp("wheel"), list_source_files())


@pytest.fixture(scope="module")
def project(wheel, tmp_path_factory):
    """A designer's project whose parts have the names of hardmode's rooms, where hardmode is installed."""
    folder = tmp_path_factory.mktemp("designer")
    run("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile", "--target", folder / "site",
        wheel, cwd=folder)
    shutil.copytree(ROOT / "examples" / "pig", folder / "games" / "pig")
    home = folder / "project"
    for room in ROOMS:
        (home / room).mkdir(parents=True)
        (home / room / "__init__.py").write_text("MINE = True\n")
    (home / "cli.py").write_text("MINE = True\n")
    (home / "mine.yaml").write_text("game: pig\ngames: 200\nexpect: {rounds: '> 2'}\n")
    (home / "test_own.py").write_text("import cli, sim\n\ndef test_own():\n    assert cli.MINE and sim.MINE\n")
    return home


@pytest.fixture
def beside(project):
    """How Python is started in the project: hardmode is the installed one, the checkout cannot be imported."""
    site = project.parent / "site"
    env = {"PYTHONPATH": os.pathsep.join([str(site), str(project)]), "HARDMODE_PATH": str(project.parent / "games")}
    found = answer("import hardmode, json, sys; print(json.dumps([hardmode.__file__, sys.path]))", cwd=project, **env)
    assert Path(found[0]).is_relative_to(site) and str(ROOT) not in found[1]
    return {"cwd": project, **env}


def test_one_name_is_installed_with_all_its_data(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {"hardmode", f"hardmode-{VERSION}.dist-info"}
    no_data = ("ruff.toml", "README.md")
    shipped = [name for name in list_source_files() if name.split("/")[0] in ROOMS and not name.endswith(no_data)]
    assert {f"hardmode/{name}" for name in shipped} | {"hardmode/py.typed", "hardmode/cli.py"} <= set(names)
    inside = [name.removeprefix("hardmode/") for name in names if name.startswith("hardmode/")]
    assert set(inside) - set(shipped) == {"__init__.py", "__main__.py", "cli.py", "py.typed"}


def test_all_kinds_of_data_are_shipped(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    kinds = ("scenarios/*/box.yaml", "scenarios/*/baselines/*.baseline", "scenarios/*/*.studies.json.gz",
             "scenarios/*.schema.json", "strategies/*.schema.json", "strategies/*/players/*.yaml",
             "strategies/*/recipe.yaml", "reports/page/templates/*.css", "reports/new/templates/*")
    assert [kind for kind in kinds if not fnmatch.filter(names, f"hardmode/{kind}")] == []


def test_the_metadata_says_which_pythons(wheel):
    [name] = [n for n in zipfile.ZipFile(wheel).namelist() if n.endswith("/METADATA")]
    said = email.message_from_bytes(zipfile.ZipFile(wheel).read(name))
    assert said["Version"] == VERSION and said["Requires-Python"] == ">=3.11"
    assert {f"Programming Language :: Python :: 3.{n}" for n in (11, 12, 13)} < set(said.get_all("Classifier"))


def test_the_command_works_beside_a_project_of_the_same_names(beside):
    assert "Usage" in run("-m", "hardmode", "--help", **beside)
    assert {"pig", "woodlands"} <= set(json.loads(run("-m", "hardmode", "list", "--json", **beside))["games"])
    told = json.loads(run("-m", "hardmode", "run", "pig/classic", "--games", "50", "--json", **beside))
    assert told["game"] == "pig" and told["games"] == 50


def test_pytest_finds_the_plugin_by_itself(beside):
    said = run("-m", "pytest", "-v", "-p", "no:cacheprovider", "--hardmode", "mine.yaml", "--hardmode-expect-only",
               **beside)
    assert "hardmode::mine.yaml: rounds > 2 PASSED" in said and "2 passed" in said


def test_python_works_beside_a_project_of_the_same_names(beside):
    found = answer("""
        import json, sys
        import cli, reports, scenarios, sim, strategies
        import hardmode
        assert all(own.MINE for own in (cli, reports, scenarios, sim, strategies))
        assert hardmode.load("pig/classic").cells[0].values["target"] == 100
        assert hardmode.variant("pig", rules={"target": "+10"}).values["target"] == 110
        hardmode.play("pig/classic", games=50)
        print(json.dumps([hardmode.__version__, hardmode.list_games()]))
    """, **beside)
    assert found[0] == VERSION and "pig" in found[1]


def test_no_module_is_loaded_under_two_names():
    """In the checkout, where each room lies in two places."""
    twice = answer(f"""
        import importlib, json, pkgutil, sys
        from collections import Counter
        from pathlib import Path
        import hardmode.cli
        for module in pkgutil.walk_packages(hardmode.__path__, "hardmode."):
            if module.name != "hardmode.__main__":
                importlib.import_module(module.name)
        sys.argv = ["hardmode", "run", "pig/classic", "--games", "1", "--json"]
        try:
            hardmode.cli.main()
        except SystemExit as end:
            assert not end.code
        files = [Path(m.__file__).resolve() for m in sys.modules.values() if getattr(m, "__file__", None)]
        own = Counter(str(f) for f in files if f.is_relative_to({str(ROOT)!r}) and "site-packages" not in f.parts)
        assert len(own) > 100, own
        print(json.dumps([f for f, n in own.items() if n > 1]))
    """)
    assert twice == []


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_is_not_imported_by_its_bare_name(room):
    said = answer(f"""
        import json
        try:
            import {room}
        except ImportError as why:
            print(json.dumps(str(why)))
    """, cwd=ROOT)
    assert said == f"{room} is a part of hardmode: import hardmode.{room}"
