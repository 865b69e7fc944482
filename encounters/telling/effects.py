"""Conditions and other effects, and when they end."""

from encounters.telling.base import Sentence

SENTENCES: dict[str, Sentence] = {}
