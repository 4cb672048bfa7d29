"""Messages to users go through the logger `hardmode`: each once in a process, wherever it is shown."""

import subprocess
import sys

import pytest

from hardmode.sim.messages import show_messages, warn_once

pytestmark = pytest.mark.plain
SAY = "from hardmode.sim.messages import warn_once; [warn_once(text) for text in ('100 % sure', 'again', 'again')]"


def test_a_message_is_shown_once():
    shown = []
    with show_messages(shown.append):
        for text in ("one", "two", "one"):
            warn_once(text)
    warn_once("three")
    assert shown == ["one", "two"]


def test_whoever_uses_the_library_sees_messages_on_standard_error():
    done = subprocess.run([sys.executable, "-W", "error", "-c", SAY], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr, done.returncode) == ("", "100 % sure\nagain\n", 0)


def test_logging_can_be_configured():
    configured = f"import logging; logging.getLogger('hardmode').setLevel(logging.ERROR); {SAY}"
    done = subprocess.run([sys.executable, "-c", configured], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
