# SPDX-License-Identifier: Apache-2.0
"""The examples of all docstrings and pages print what they show, and docstrings name the actual parameters."""

import doctest
import importlib
import inspect
import pkgutil
import re

import pytest
from tables import ROOT

import pidforest

MODULES = ["pidforest", *(f"pidforest.{module.name}" for module in pkgutil.iter_modules(pidforest.__path__) if module.name != "_core")]
# tests/spark runs the page on Spark.
PAGES = [ROOT / "README.md", *(page for page in sorted((ROOT / "docs").glob("*.md")) if page.name != "spark.md")]
FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(test):
    """Return doctest's report of the failing examples; empty if none fails."""
    report = []
    doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    return "".join(report)


def docstrings_with_examples():
    for name in MODULES:
        for test in doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(name)):
            if test.examples:
                yield pytest.param(test, id=test.name)


@pytest.mark.parametrize("test", list(docstrings_with_examples()))
def test_docstrings(test):
    assert run(test) == ""


def examples_of(page):
    """Return the examples of a page's snippets, which share one namespace. A Python snippet without examples would
    be untested."""
    text = page.read_text(encoding="utf-8")
    parser = doctest.DocTestParser()
    examples = []
    for snippet in FENCE.finditer(text):
        found = parser.get_examples(snippet[1], page.name)
        assert found, f"{page.name}: a snippet has no >>> lines:\n{snippet[1]}"
        for example in found:
            example.lineno += text[: snippet.start(1)].count("\n")
        examples += found
    return examples


PAGES_WITH_EXAMPLES = [page for page in PAGES if FENCE.search(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", PAGES_WITH_EXAMPLES, ids=lambda page: page.name)
def test_pages(page, monkeypatch):
    monkeypatch.chdir(ROOT)
    assert run(doctest.DocTest(examples_of(page), {}, page.name, str(page), 0, None)) == ""


def test_the_pages_about_python_have_examples():
    assert {"README.md", "python.md"} <= {page.name for page in PAGES_WITH_EXAMPLES}


def public_functions():
    """Return the functions and methods that users call."""
    for name in pidforest.__all__:
        thing = getattr(pidforest, name)
        if inspect.isclass(thing):
            methods = inspect.getmembers(thing, lambda member: inspect.isfunction(member) or inspect.ismethod(member))
            ours = [(label, method) for label, method in methods if method.__module__.startswith("pidforest") and not label.startswith("_")]
            yield from (pytest.param(method, id=f"{name}.{label}") for label, method in ours)
        elif callable(thing):
            yield pytest.param(thing, id=name)


@pytest.mark.parametrize("function", list(public_functions()))
def test_documented_parameters_are_those_of_the_signature(function):
    documentation = inspect.getdoc(function)
    assert documentation, "no docstring"
    section = re.search(r"^Parameters\n-+\n(.*?)(?=\n\n\w+\n-+\n|\Z)", documentation, re.MULTILINE | re.DOTALL)
    parameters = inspect.signature(function).parameters.values()
    names = [("**" if parameter.kind is parameter.VAR_KEYWORD else "") + parameter.name for parameter in parameters if parameter.name != "self"]
    if section:
        assert re.findall(r"^([*\w]+)(?: : .*)?$", section[1], re.MULTILINE) == names
    else:
        assert not names or "Parameters and errors are those of" in documentation


def test_public_classes_tell_their_attributes():
    for name in ("PIDForest", "Witness", "Explanation", "Explanations", "Incident", "Incidents", "ExactScores"):
        assert "Attributes\n----------\n" in inspect.getdoc(getattr(pidforest, name)), name
