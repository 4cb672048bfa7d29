"""JUnit XML, which CI servers read."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass

PASSED, FAILURE, ERROR = "passed", "failure", "error"
INVALID_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class JunitCase:
    """One test case: its outcome (`PASSED`, `FAILURE` or `ERROR`), and what was found.

    Attributes:
        kind: The type of the failure or error.
        message: The first line of a failure or error. By default the first line of `text`.
        seconds: How long the case took, or None if that is not known.
    """

    name: str
    text: str = ""
    outcome: str = PASSED
    kind: str = ""
    seconds: float | None = None


@dataclass(frozen=True)
class JunitSuite:
    """All test cases of one scenario."""

    name: str
    class_name: str
    cases: Sequence[JunitCase]


def render_junit(suites: Sequence[JunitSuite]) -> str:
    """Return test suites as JUnit XML."""
    root = ET.Element("testsuites", name="hardmode")
    for suite in suites:
        _add_suite(root, suite)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _add_suite(root: ET.Element, suite: JunitSuite) -> None:
    element = ET.SubElement(root, "testsuite", name=replace_invalid_xml(suite.name))
    element.set("tests", str(len(suite.cases)))
    for outcome, attribute in ((FAILURE, "failures"), (ERROR, "errors")):
        element.set(attribute, str(sum(case.outcome == outcome for case in suite.cases)))
    element.set("skipped", "0")
    times = [case.seconds for case in suite.cases if case.seconds is not None]
    if times:
        element.set("time", f"{sum(times):.3f}")
    for case in suite.cases:
        _add_case(element, suite, case)


def _add_case(parent: ET.Element, suite: JunitSuite, case: JunitCase) -> None:
    element = ET.SubElement(
        parent,
        "testcase",
        classname=replace_invalid_xml(suite.class_name),
        name=replace_invalid_xml(case.name),
    )
    if case.seconds is not None:
        element.set("time", f"{case.seconds:.3f}")
    text = replace_invalid_xml(case.text)
    if case.outcome != PASSED:
        message = text.splitlines()[0] if text else ""
        ET.SubElement(element, case.outcome, type=case.kind, message=message).text = text
    elif text:
        ET.SubElement(element, "system-out").text = text


def replace_invalid_xml(text: str) -> str:
    """Return a text with a question mark in place of characters that XML cannot hold."""
    return INVALID_XML.sub("?", text)
