"""The tools for assistants run the commands that they are named after, and say what is wrong with a question."""

import asyncio
import json
import sys

import pytest
from playing import python
from typer.main import get_command

from hardmode.cli import app
from hardmode.reports import mcp_server
from hardmode.reports.mcp_server import TOOLS, format_options, shorten_lists


def ask(name, **values):
    return asyncio.run(TOOLS[name](**values))


@pytest.mark.plain
def test_each_tool_is_a_command():
    assert set(TOOLS) == {"list", "run", "compare", "solve", "sensitivity", "replay"}
    assert set(TOOLS) <= set(get_command(app).commands)
    assert all(tool.__doc__ for tool in TOOLS.values())


@pytest.mark.plain
def test_options_are_single_words_so_that_no_value_is_read_as_an_option():
    assert format_options(set=["a=+1", "-o"], game=0, odds=True, seed=None) == ["--set=a=+1", "--set=-o", "--game=0",
                                                                              "--odds"]


@pytest.mark.plain
def test_long_lists_are_shortened_and_counted():
    told = json.loads(shorten_lists(json.dumps({"a": [1, 2, 3], "b": [1], "c": 7}), 2))
    assert told == {"a": [1, 2], "b": [1], "c": 7, "left_out": {"a": 1}}


def test_tools_return_the_answers_of_their_commands():
    assert "pig" in json.loads(ask("list"))["games"]
    assert [n["path"] for n in json.loads(ask("list", what="pig", find="sides"))["numbers"]] == ["die.sides"]
    told = json.loads(ask("run", scenario="pig/classic", games=200, changes=["target=+10"], strategies=["random"],
                          seed=3))
    assert told["games"] == 200 and "random" in json.dumps(told)
    told = json.loads(ask("compare", scenario="pig/classic", changes=["target=50"], games=200))
    assert told["hardmode"] == "compare"
    told = json.loads(ask("sensitivity", scenario="pig/classic", seconds=1, top=1))
    assert told["hardmode"] == "sensitivity" and len(told["numbers"]) == 1 and told["left_out"]["numbers"] > 0
    told = json.loads(ask("solve", scenario="pig/classic", targets=["rounds=10..14"], by=["target=20..90"],
                          seconds=2))
    assert told["hardmode"] == "solve"
    story = ask("replay", scenario="pig/classic", game=4)
    assert "rolls" in story and story != ask("replay", scenario="pig/classic", game=5)


def test_a_cancelled_question_ends_its_process(monkeypatch, tmp_path):
    """The process would write a file after the sleep, if it lived."""
    (tmp_path / "hardmode.py").write_text("import time\nprint('x', flush=True)\nopen('started', 'w')\n"
                                          "time.sleep(3)\nopen('ended', 'w')\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    async def cancel():
        task = asyncio.create_task(mcp_server.list_contents())
        while not (tmp_path / "started").exists():
            await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await asyncio.sleep(4)

    asyncio.run(cancel())
    assert not (tmp_path / "ended").exists()


def test_without_the_package_the_message_names_the_extra():
    start = "from hardmode.reports.mcp_server import main\nmain()"
    done = python(f"import sys\nsys.modules['mcp'] = None\n{start}", check=False)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.strip() == 'error: to serve assistants, install mcp: pip install "hardmode[mcp]"'


def test_an_assistant_asks_over_the_protocol():
    mcp = pytest.importorskip("mcp", reason="the package of the extra `mcp` is not installed")

    async def talk():
        async with mcp.Client(mcp_server.create_server()) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            good = await client.call_tool("run", {"scenario": "pig/classic", "games": 50})
            bad = [await client.call_tool("run", {"scenario": name, "games": 50}) for name in ("pig/clasic", "--help")]
            return tools, good, bad, await client.call_tool("run", {"scenario": "pig/classic", "games": -1})

    tools, good, bad, worse = asyncio.run(talk())
    assert set(tools) == set(TOOLS) and "compile" not in tools["run"].description
    assert tools["run"].input_schema["properties"]["scenario"]["description"]
    assert not good.is_error and json.loads(good.content[0].text)["games"] == 50
    assert all(answer.is_error for answer in [*bad, worse])
    assert "pig/classic" in bad[0].content[0].text and "--help" in bad[1].content[0].text


def test_the_server_speaks_over_stdin_and_stdout():
    mcp = pytest.importorskip("mcp", reason="the package of the extra `mcp` is not installed")
    start = "from hardmode.reports.mcp_server import main; main()"

    async def talk():
        server = mcp.StdioServerParameters(command=sys.executable, args=["-c", start], env={**mcp_server.os.environ})
        async with mcp.Client(server) as client:
            return await client.call_tool("list", {})

    assert "pig" in json.loads(asyncio.run(talk()).content[0].text)["games"]
