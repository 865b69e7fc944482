"""The rows of a fight: `Encounter` and `Combatant` are a copy of the rules' own values.

A fight changes only through `steps.py`, and only `store.py` reads and writes its rows.
"""

import uuid
from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from encounters.models.campaign import Binnable, Campaign


def usual_allies() -> list[list[str]]:
    """The sides that are allied until the GM says otherwise."""
    return [["allies", "heroes"]]


class Encounter(Binnable):
    """A prepared or running fight. The columns from `state` on are those of `rules.Fight`."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="encounters")
    name = models.CharField(_("name"), max_length=80)
    created = models.DateTimeField(default=timezone.now, editable=False)
    used = models.DateTimeField(default=timezone.now, editable=False)
    version = models.PositiveIntegerField(default=0, editable=False)  # steps taken
    undo_step = models.PositiveIntegerField(null=True, editable=False)
    # version of the step that *undo* takes back
    redo_step = models.PositiveIntegerField(null=True, editable=False)
    # version of the step that *redo* does again

    state = models.CharField(max_length=10, default="preparing", editable=False)
    round = models.PositiveIntegerField(default=0, editable=False)
    current = models.PositiveIntegerField(null=True, editable=False)  # slot whose turn it is
    turn_step = models.PositiveIntegerField(null=True, editable=False)
    slots = models.JSONField(default=list, editable=False)  # in the order of initiative
    last_number = models.PositiveIntegerField(default=0, editable=False)
    seen_slot = models.PositiveIntegerField(null=True, editable=False)
    seen_round = models.PositiveIntegerField(default=0, editable=False)
    ordinals_given = models.JSONField(default=dict, editable=False)
    letters_given = models.JSONField(default=dict, editable=False)
    allied = models.JSONField(default=usual_allies, editable=False)  # pairs of sides
    overrides = models.JSONField(default=dict, editable=False)  # settings of this fight alone
    verdicts = models.JSONField(default=dict, editable=False)  # why those surprised at first were
    turn_began = models.DateTimeField(null=True, editable=False)  # the turn that is on
    seen_began = models.DateTimeField(null=True, editable=False)  # the one that players see

    class Meta:
        ordering: ClassVar = ["-used", "-pk"]

    def __str__(self) -> str:
        return self.name

    @classmethod
    def out_of_bin(cls) -> "models.QuerySet[Encounter]":
        """Those that neither lie in the bin themselves nor with their campaign."""
        return cls.objects.filter(deleted=None, campaign__deleted=None)


class Combatant(models.Model):
    """One hero or creature in one encounter: `rules.Combatant`, which explains each field."""

    encounter = models.ForeignKey(Encounter, models.CASCADE, related_name="combatants")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=80)
    name_fr = models.CharField(max_length=80, blank=True)
    ordinal = models.PositiveIntegerField(default=0)
    side = models.CharField(max_length=20)
    is_hero = models.BooleanField(default=False)
    creature = models.CharField(max_length=120, blank=True)
    hero = models.BigIntegerField(null=True)
    hero_level = models.IntegerField(null=True)
    ac = models.IntegerField(null=True)
    max_hp = models.IntegerField(null=True)
    hp = models.IntegerField(null=True)
    temp_hp = models.IntegerField(default=0)
    initiative_bonus = models.IntegerField(null=True)
    dexterity = models.IntegerField(null=True)
    passive_perception = models.IntegerField(null=True)
    perception_roll = models.CharField(max_length=15, blank=True)
    stealth_bonus = models.IntegerField(null=True)
    stealth_roll = models.CharField(max_length=15, blank=True)
    initiative_roll = models.CharField(max_length=15, default="auto")
    speed = models.IntegerField(null=True)
    speeds = models.JSONField(default=dict)
    hovers = models.BooleanField(default=False)
    moving = models.CharField(max_length=10, blank=True)
    hiding = models.BooleanField(default=False)
    stealth = models.IntegerField(null=True)
    cannot_be_surprised = models.BooleanField(default=False)
    surprise = models.CharField(max_length=15, default="auto")
    surprised = models.BooleanField(default=False)
    lost_turn = models.BooleanField(default=False)
    reaction = models.BooleanField(default=True)
    moved = models.FloatField(default=0)
    dashes = models.PositiveSmallIntegerField(default=0)
    action_spent = models.BooleanField(default=False)
    bonus_spent = models.BooleanField(default=False)
    object_spent = models.BooleanField(default=False)
    effects = models.JSONField(default=list)
    dead = models.BooleanField(default=False)
    stable = models.BooleanField(default=False)
    death_saves = models.BooleanField(default=False)
    death_successes = models.PositiveSmallIntegerField(default=0)
    death_failures = models.PositiveSmallIntegerField(default=0)
    defences = models.JSONField(default=list)
    saves = models.JSONField(default=dict)
    uses = models.JSONField(default=list)
    dues = models.JSONField(default=list)
    has_acted = models.BooleanField(default=False)
    out = models.BooleanField(default=False)
    arrives = models.PositiveIntegerField(default=0)
    awaited = models.BooleanField(default=False)
    rider = models.PositiveIntegerField(null=True)
    is_lair = models.BooleanField(default=False)
    owner = models.PositiveIntegerField(null=True)
    in_lair = models.BooleanField(default=False)
    hidden = models.BooleanField(default=False)
    label = models.CharField(max_length=80, blank=True)
    letter = models.PositiveIntegerField(default=0)
    notes = models.TextField(max_length=10_000, blank=True)
    slot = models.PositiveIntegerField(null=True)

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["encounter", "number"], name="number_once")
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.ordinal or ''}".strip()


class History(models.Manager["Step"]):
    """The steps that have changed something, or have been told."""

    def get_queryset(self) -> models.QuerySet["Step"]:
        return super().get_queryset().filter(version__isnull=False)


class Step(models.Model):
    """One change of a fight, as it was asked for and what it changed. Never deleted."""

    encounter = models.ForeignKey(Encounter, models.CASCADE, related_name="steps")
    version = models.PositiveIntegerField(null=True)
    # of the encounter after this step; None of a press that has changed nothing
    key = models.UUIDField()  # the same key twice has one effect
    asked = models.CharField(max_length=40, default="")
    # a digest of what the form sent: under one key nothing else is taken; "" where none did
    command = models.CharField(max_length=40)  # "next-turn"; "undo" and "redo" too
    arguments = models.JSONField(default=dict)
    events = models.JSONField(default=list)
    changes = models.JSONField(default=dict)  # the stored values before and after
    outside = models.JSONField(default=dict)  # what it made outside the fight, by `outside.py`
    of = models.PositiveIntegerField(null=True)  # what an undo or redo is of: that step's version
    undo_next = models.PositiveIntegerField(null=True)  # what *undo* takes back after this one
    redo_next = models.PositiveIntegerField(null=True)  # what *redo* does after this one
    taken = models.DateTimeField(default=timezone.now)

    objects = History()
    pressed: ClassVar = models.Manager["Step"]()

    class Meta:
        ordering: ClassVar = ["version"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["encounter", "version"], name="version_once"),
            models.UniqueConstraint(fields=["encounter", "key"], name="key_once"),
        ]

    def __str__(self) -> str:
        return f"{self.version} {self.command}"
