"""The creatures of the book and of the GM's own, and which data files have been read in.

Numbers come from the System Reference Documents 5.1 (2014 rules) and 5.2 (2024 rules).
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Creature(models.Model):
    """One creature of the book, or of the GM's own, as it stands there before any fight.

    The columns are what lists, search and a new combatant need; `facts` holds the whole record
    (attacks, senses, resistances, ...), with codes that `data/glossary.json` puts into words. Of
    one's own, a number that nobody has told is empty.
    """

    source = models.CharField(max_length=20)  # "srd-5.1", "srd-5.2", or "own"
    key = models.CharField(max_length=80)  # "goblin"; the same key may be in both sources
    name = models.CharField(max_length=80)  # English
    name_fr = models.CharField(max_length=80)
    edition = models.CharField(max_length=4)  # of the rules: "2014" or "2024"; "" for any
    size = models.CharField(max_length=20)  # a code, as is type
    type = models.CharField(max_length=20)
    cr = models.CharField(max_length=5)  # challenge rating as printed: "1/4"
    cr_value = models.FloatField(null=True)  # the same as a number: 0.25
    xp = models.IntegerField(null=True)  # experience points, outside its lair
    ac = models.IntegerField(null=True)
    hp = models.IntegerField(null=True)  # average
    hit_dice = models.CharField(max_length=20)  # "2d6+2"
    speed = models.IntegerField(null=True)  # walking, in feet
    dexterity = models.IntegerField(null=True)  # score, not modifier
    initiative = models.IntegerField(null=True)  # bonus
    stealth = models.IntegerField(null=True)  # bonus
    passive_perception = models.IntegerField(null=True)
    # Names as `folding.fold` writes them, each after a line break, so that the beginnings of words
    # can be looked for; the first is its own, another the one it bore in the 2014 rules.
    search_en = models.TextField()
    search_fr = models.TextField()
    campaign = models.BigIntegerField(null=True)  # that one's own came from
    deleted = models.DateTimeField(null=True)  # one's own, taken back with the step that made it
    last_used = models.DateTimeField(null=True, blank=True)  # when last added to a fight
    facts = models.JSONField()  # last column, so that a search need not read past it

    class Meta:
        verbose_name = _("creature")
        verbose_name_plural = _("creatures")
        constraints = (
            models.UniqueConstraint(fields=["source", "key"], name="creature_source_key"),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def code(self) -> str:
        """Its public name, the same in every installation: "srd-5.1/goblin"."""
        return f"{self.source}/{self.key}"


class Book(models.Model):
    """A data file that has been read in, so that the next start can see that nothing changed."""

    source = models.CharField(max_length=20, unique=True)
    digest = models.CharField(max_length=64)  # SHA-256 in hexadecimal

    class Meta:
        verbose_name = _("book")
        verbose_name_plural = _("books")

    def __str__(self) -> str:
        return self.source
