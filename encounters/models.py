"""The rows of a table: campaigns, heroes, encounters, combatants and the steps of a fight.

A fight changes only through `steps.py`; the rows of `Combatant` are a copy of `rules.Combatant`,
field by field, and only `store.py` reads and writes them.
"""

import hashlib
import hmac
import secrets
import uuid
from datetime import timedelta
from typing import ClassVar

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
NUMBER = [MinValueValidator(-9_999), MaxValueValidator(99_999)]
POSITIVE = [MinValueValidator(0), MaxValueValidator(99_999)]


def secret_hash(secret: str) -> str:
    """What the database holds of a secret: its SHA-256, in hexadecimal."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Binnable(models.Model):
    """What lies in the bin for 30 days before it is deleted for good."""

    deleted = models.DateTimeField(null=True, editable=False)  # in the bin since then

    class Meta:
        abstract = True


class Campaign(Binnable):
    """A GM's group: heroes, encounters, settings and the players' link."""

    class StealthTie(models.TextChoices):
        HIDER = "hider", _("stays hidden")
        OBSERVER = "observer", _("is noticed")

    class SurpriseReading(models.TextChoices):
        NO_THREAT = "notices_no_threat", _("it notices no enemy at all")
        ANY_THREAT = "misses_any_threat", _("it misses a single enemy (strict)")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(_("name"), max_length=80)
    stealth_tie = models.CharField(
        _("Stealth equal to passive Perception"),
        max_length=10,
        choices=StealthTie,
        default=StealthTie.HIDER,
    )
    surprise_reading = models.CharField(
        _("a creature is surprised when"),
        max_length=20,
        choices=SurpriseReading,
        default=SurpriseReading.NO_THREAT,
    )
    group_initiative = models.BooleanField(_("one die for identical creatures"), default=True)
    monsters_hidden = models.BooleanField(_("creatures start hidden from players"), default=True)
    reveal_on_turn = models.BooleanField(_("reveal creatures on their first turn"), default=True)
    created = models.DateTimeField(default=timezone.now, editable=False)
    used = models.DateTimeField(default=timezone.now, editable=False)
    shown = models.ForeignKey(
        "Encounter", models.SET_NULL, null=True, blank=True, related_name="+", editable=False
    )  # the fight the players follow: the one begun last
    public_rev = models.PositiveIntegerField(default=0, editable=False)
    # raised only when what the players see changes
    public_hash = models.CharField(max_length=64, default="", editable=False)

    class Meta:
        ordering: ClassVar = ["-used", "-pk"]

    def __str__(self) -> str:
        return self.name


class Hero(Binnable):
    """A player's character, kept from fight to fight; an unknown number is empty."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="heroes", editable=False)
    name = models.CharField(_("name"), max_length=80)
    player = models.CharField(_("player"), max_length=80, blank=True)
    level = models.SmallIntegerField(
        _("level"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(20)],
    )
    ac = models.IntegerField(_("AC"), null=True, blank=True, validators=POSITIVE)
    max_hp = models.IntegerField(
        _("maximum HP"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(99_999)],
    )
    initiative_bonus = models.IntegerField(
        _("initiative bonus"), null=True, blank=True, validators=NUMBER
    )
    passive_perception = models.IntegerField(
        _("passive Perception"), null=True, blank=True, validators=NUMBER
    )
    stealth_bonus = models.IntegerField(
        _("Stealth bonus"), null=True, blank=True, validators=NUMBER
    )
    dexterity = models.IntegerField(
        _("Dexterity score"), null=True, blank=True, validators=POSITIVE
    )
    speed = models.IntegerField(
        _("speed"), null=True, blank=True, default=30, validators=POSITIVE
    )  # feet

    class Meta:
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return self.name


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

    class Meta:
        ordering: ClassVar = ["-used", "-pk"]

    def __str__(self) -> str:
        return self.name


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
    ac = models.IntegerField(null=True)
    max_hp = models.IntegerField(null=True)
    hp = models.IntegerField(null=True)
    temp_hp = models.IntegerField(default=0)
    initiative_bonus = models.IntegerField(null=True)
    dexterity = models.IntegerField(null=True)
    passive_perception = models.IntegerField(null=True)
    stealth_bonus = models.IntegerField(null=True)
    speed = models.IntegerField(null=True)
    hiding = models.BooleanField(default=False)
    stealth = models.IntegerField(null=True)
    cannot_be_surprised = models.BooleanField(default=False)
    surprise = models.CharField(max_length=15, default="auto")
    surprised = models.BooleanField(default=False)
    lost_turn = models.BooleanField(default=False)
    reaction = models.BooleanField(default=True)
    has_acted = models.BooleanField(default=False)
    out = models.BooleanField(default=False)
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


class Step(models.Model):
    """One change of a fight, as it was asked for and what it changed. Never deleted."""

    encounter = models.ForeignKey(Encounter, models.CASCADE, related_name="steps")
    version = models.PositiveIntegerField()  # of the encounter after this step
    key = models.UUIDField()  # the same key twice has one effect
    command = models.CharField(max_length=40)  # "next-turn"; "undo" and "redo" too
    arguments = models.JSONField(default=dict)
    events = models.JSONField(default=list)
    changes = models.JSONField(default=dict)  # the stored values before and after
    of = models.PositiveIntegerField(null=True)  # what an undo or redo is of: that step's version
    undo_next = models.PositiveIntegerField(null=True)  # what *undo* takes back after this one
    redo_next = models.PositiveIntegerField(null=True)  # what *redo* does after this one
    taken = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["version"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["encounter", "version"], name="version_once"),
            models.UniqueConstraint(fields=["encounter", "key"], name="key_once"),
        ]

    def __str__(self) -> str:
        return f"{self.version} {self.command}"


class PlayerLink(models.Model):
    """The address of a campaign's player page. Who has it may look, and nothing else."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="links")
    link_id = models.UUIDField(default=uuid.uuid4, unique=True)
    generation = models.PositiveIntegerField(default=1)
    token_hash = models.CharField(max_length=64, unique=True)

    def __str__(self) -> str:
        return f"link of {self.campaign}"

    def save(self, *args: object, **kwargs: object) -> None:
        self.token_hash = secret_hash(self.token)
        super().save(*args, **kwargs)  # type: ignore[arg-type]

    @property
    def token(self) -> str:
        """26 characters of Crockford's base 32: 130 bits, derived so that none is stored."""
        message = f"{self.link_id}|{self.generation}".encode()
        digest = hmac.digest(settings.SECRET_KEY.encode(), message, "sha256")
        bits = int.from_bytes(digest, "big") >> (256 - 130)
        return "".join(CROCKFORD[bits >> shift & 31] for shift in range(125, -1, -5))

    @classmethod
    def of_token(cls, token: str) -> "PlayerLink | None":
        """The link with this token, in capitals or not, or None."""
        query = cls.objects.select_related("campaign__shown")
        return query.filter(token_hash=secret_hash(token.upper()), campaign__deleted=None).first()


class EntryLink(models.Model):
    """A single-use way in for the GM, good for 30 minutes."""

    LIFE = timedelta(minutes=30)

    secret_hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(default=timezone.now)
    used = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"entry link of {self.created:%Y-%m-%d %H:%M}"

    @classmethod
    def make(cls) -> str:
        """Store a new link and return its secret, which is shown once and kept nowhere."""
        secret = secrets.token_urlsafe(24)
        cls.objects.create(secret_hash=secret_hash(secret))
        return secret

    @classmethod
    def consume(cls, secret: str) -> bool:
        """Whether the secret was good; it is so once, and for `LIFE`."""
        now = timezone.now()
        good = cls.objects.filter(
            secret_hash=secret_hash(secret), used=None, created__gt=now - cls.LIFE
        )
        return good.update(used=now) == 1
