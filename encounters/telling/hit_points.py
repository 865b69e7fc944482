"""Hit points: hurt, healed, down, dead, awake."""

from encounters.telling.base import Sentence

SENTENCES: dict[str, Sentence] = {}
