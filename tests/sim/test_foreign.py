"""What code of others prints while it is imported does not reach standard output."""

import subprocess
import sys
import textwrap

import pytest

LOUD = """
    import sys
    print("printed")
    print("written")
"""
READ = """
    import sys, threading
    from hardmode.sim.compile.safe_import import import_module_quietly, redirect_stdout_to_stderr
    print("before")
    sys.path.insert(0, {folder!r})
    with redirect_stdout_to_stderr():
        readers = [threading.Thread(target=import_module_quietly, args=(f"loud{{i}}",)) for i in range(3)]
        for reader in readers: reader.start()
        for reader in readers: reader.join()
    import_module_quietly("loud3")
    print("after")
"""


def ran(code, tail=""):
    return subprocess.run(f"exec {sys.executable} -c '{textwrap.dedent(code)}' {tail}", shell=True, text=True,
                          capture_output=True, timeout=900)


@pytest.mark.plain
def test_what_a_module_says_goes_to_standard_error(tmp_path):
    for i in range(4):
        (tmp_path / f"loud{i}.py").write_text(textwrap.dedent(LOUD))
    code = READ.format(folder=str(tmp_path)).replace("'", '"')
    done = ran(code)
    assert (done.stdout, done.returncode) == ("before\nafter\n", 0), done.stderr
    for said in ("printed", "written"):
        assert done.stderr.count(said) == 4
    assert ran(code, "2>&-").stdout == "before\nafter\n"


@pytest.mark.plain
def test_a_strategy_file_that_speaks_leaves_the_answer_alone(tmp_path):
    (tmp_path / "mine.py").write_text(textwrap.dedent(LOUD) + textwrap.dedent("""
        def first(box, table, own, options, n, luck, weights):
            return 0
        """))
    done = subprocess.run([sys.executable, "-m", "hardmode", "run", "pig/classic", "--strategy", "mine.py:first",
                           "--games", "5", "--json", "--threads", "2000"], cwd=tmp_path, text=True, capture_output=True)
    assert done.stdout.startswith("{") and done.stdout.count("\n") == done.stdout.rstrip().count("\n") + 1, done.stderr
    assert done.stderr.count("threads are no faster than") == 1
