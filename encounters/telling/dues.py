"""What was due and how it came out; what is counted."""

from encounters.telling.base import Sentence

SENTENCES: dict[str, Sentence] = {}
