"""Every event of the rules is told in the log, and every step is found by its kind."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation

from encounters import log
from encounters.sentences import SENTENCES
from tests.encounters.playing import pressed
from tests.encounters.uses import USES, table

pytestmark = pytest.mark.django_db

WENT_BACK = "went-back"  # of `steps.go_back`, which is no rule


def codes_of(source: str) -> set[str]:
    """The codes of all events that a module of the rules makes."""
    found: set[str] = set()
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef):
            named = {
                target.id: node.value
                for node in ast.walk(function)
                if isinstance(node, ast.Assign)
                for target in node.targets
                if isinstance(target, ast.Name)
            }
            for code in _code_arguments(function):
                value = named.get(code.id, code) if isinstance(code, ast.Name) else code
                if not isinstance(value, ast.Attribute | ast.Name):  # of an event handed on
                    found |= set(_words(value))
    return found


def _code_arguments(function: ast.FunctionDef) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "Event":
                yield node.args[0]
            if node.func.id == "told":
                yield node.args[1]


def _words(value: ast.expr) -> Iterator[str]:
    for node in [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]:
        assert isinstance(node, ast.Constant), ast.unparse(node)
        yield str(node.value)


def codes() -> set[str]:
    sources = Path(settings.BASE_DIR, "rules").glob("*.py")
    return {code for source in sources for code in codes_of(source.read_text())} | {WENT_BACK}


def test_the_walk_through_the_rules_finds_every_way_to_name_an_event() -> None:
    source = """
def run(self, fight):
    code = "a" if fight else "b"
    events = [Event("c"), Event(code), Event(one.code, {})]
    return told(fight, "d" if fight else "e")
"""
    assert codes_of(source) == {"a", "b", "c", "d", "e"}


def test_every_event_of_the_rules_has_a_sentence_and_a_kind() -> None:
    told = codes()
    assert len(told) > 45
    assert set(SENTENCES) == told
    assert set(log._KIND_OF) == told


@pytest.mark.parametrize("verb", sorted(USES))
def test_the_step_of_every_verb_is_told_and_is_of_a_kind(verb: str, gm_client: Client) -> None:
    encounter = table(USES[verb].state)
    pressed(gm_client, encounter, verb, **USES[verb].fields)
    step = encounter.steps.last()
    assert step
    assert step.command == verb
    assert log.kinds(step.command, step.events) <= set(log.KINDS) - {"others"}
    for language in ("en", "fr"):
        with translation.override(language):
            for said in (log.sentence(step.events), log.headline(step.events)):
                assert said
                assert "%(" not in said
