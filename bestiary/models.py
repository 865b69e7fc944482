"""The creatures of the book, and which edition of its data files has been read in.

Numbers come from the System Reference Documents 5.1 (2014 rules) and 5.2 (2024 rules).
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Creature(models.Model):
    """One creature of the book, as it stands there before any fight.

    The columns are what lists, search and a new combatant need; `facts` holds the whole record
    (attacks, senses, resistances, ...), with codes that `data/glossary.json` puts into words.
    """

    source = models.CharField(max_length=20)  # "srd-5.1" or "srd-5.2"
    key = models.CharField(max_length=80)  # "goblin"; the same key may be in both sources
    name = models.CharField(max_length=80)  # English
    name_fr = models.CharField(max_length=80)
    edition = models.CharField(max_length=4)  # of the rules: "2014" or "2024"
    size = models.CharField(max_length=20)  # a code, as is type
    type = models.CharField(max_length=20)
    cr = models.CharField(max_length=5)  # challenge rating as printed: "1/4"
    cr_value = models.FloatField()  # the same as a number: 0.25
    xp = models.IntegerField()  # experience points, outside its lair
    ac = models.IntegerField()
    hp = models.IntegerField()  # average
    hit_dice = models.CharField(max_length=20)  # "2d6+2"
    speed = models.IntegerField()  # walking, in feet
    dexterity = models.IntegerField()  # score, not modifier
    initiative = models.IntegerField()  # bonus
    stealth = models.IntegerField()  # bonus
    passive_perception = models.IntegerField()
    # Names as `folding.fold` writes them, each after a line break, so that the beginnings of words
    # can be looked for; the first is its own, another the one it bore in the 2014 rules.
    search_en = models.TextField()
    search_fr = models.TextField()
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
