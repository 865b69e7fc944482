"""A GM's group, how it plays, and its heroes."""

import uuid
from typing import Any, ClassVar

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

NUMBER = [MinValueValidator(-9_999), MaxValueValidator(99_999)]
POSITIVE = [MinValueValidator(0), MaxValueValidator(99_999)]


class HitPointsSeen(models.TextChoices):
    """What players see of the hit points of a side."""

    NOTHING = "nothing", _("nothing")
    WORD = "word", _("a word")
    EXACT = "exact", _("the numbers")


def _hit_points_seen(label: Any) -> Any:
    return models.CharField(label, max_length=7, choices=HitPointsSeen, default=HitPointsSeen.WORD)


class Binnable(models.Model):
    """What lies in the bin for 30 days before it is deleted for good."""

    deleted = models.DateTimeField(null=True, editable=False)  # in the bin since then

    class Meta:
        abstract = True


class Campaign(Binnable):
    """A GM's group: heroes, encounters, settings and the players' link."""

    class Edition(models.TextChoices):
        OF_2014 = "2014", _("5e, 2014 (SRD 5.1, DRS)")
        OF_2024 = "2024", _("5e, 2024 (SRD 5.2)")

    class StealthTie(models.TextChoices):
        EDITION = "edition", _("as the edition says")
        HIDER = "hider", _("stays hidden")
        OBSERVER = "observer", _("is noticed")

    class SurpriseReading(models.TextChoices):
        NO_THREAT = "notices_no_threat", _("it notices no enemy at all")
        ANY_THREAT = "misses_any_threat", _("it misses a single enemy (strict)")

    class GroupStealth(models.TextChoices):
        EACH = "each", _("a die for each")
        ONE_DIE = "one_die", _("one die for identical creatures")

    class TieRule(models.TextChoices):
        ASK = "ask", _("ask")
        DEXTERITY = "dexterity", _("higher Dexterity first, then ask")
        HEROES_FIRST = "heroes_first", _("heroes before creatures, else ask")
        ROLL_OFF = "roll_off", _("heroes against creatures roll a d20, else ask")

    class MonsterInitiative(models.TextChoices):
        ROLLED = "rolled", _("is rolled")
        SCORE = "score", _("is their score (2024 only)")

    class HeroRolls(models.TextChoices):
        TYPED = "typed", _("are typed in")
        ROLLED = "rolled", _("are rolled here")

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(_("name"), max_length=80)
    edition = models.CharField(_("edition"), max_length=4, choices=Edition, default=Edition.OF_2014)
    surprise_reading = models.CharField(
        _("a creature is surprised when"),
        max_length=20,
        choices=SurpriseReading,
        default=SurpriseReading.NO_THREAT,
    )
    stealth_tie = models.CharField(
        _("Stealth equal to passive Perception"),
        max_length=10,
        choices=StealthTie,
        default=StealthTie.EDITION,
    )
    group_stealth = models.CharField(
        _("Stealth of a group"), max_length=10, choices=GroupStealth, default=GroupStealth.EACH
    )
    group_initiative = models.BooleanField(_("one die for identical creatures"), default=True)
    hero_rolls = models.CharField(
        _("heroes’ initiative totals"),
        max_length=10,
        choices=HeroRolls,
        default=HeroRolls.TYPED,
    )
    monster_initiative = models.CharField(
        _("creatures’ initiative"),
        max_length=10,
        choices=MonsterInitiative,
        default=MonsterInitiative.ROLLED,
    )
    tie_rule = models.CharField(_("ties"), max_length=15, choices=TieRule, default=TieRule.ASK)
    reroll_each_round = models.BooleanField(_("new initiative every round"), default=False)
    side_initiative = models.BooleanField(_("one die for each side"), default=False)
    monsters_hidden = models.BooleanField(_("creatures start hidden from players"), default=True)
    reveal_on_turn = models.BooleanField(_("reveal creatures on their first turn"), default=True)
    show_effects = models.BooleanField(_("players see conditions"), default=True)
    hp_heroes = _hit_points_seen(_("heroes’ hit points"))
    hp_allies = _hit_points_seen(_("allies’ hit points"))
    hp_foes = _hit_points_seen(_("foes’ hit points"))
    hp_others = _hit_points_seen(_("other sides’ hit points"))
    show_ac = models.BooleanField(_("players see AC"), default=False)
    show_initiative = models.BooleanField(_("players see initiative"), default=False)
    turn_seconds = models.PositiveIntegerField(
        _("seconds for a turn"),
        default=0,
        blank=True,
        validators=[MaxValueValidator(3_600)],
        help_text=_("0 for no timer"),
    )
    own_words = models.JSONField(default=list, editable=False)
    # effects that the GM has worded: {"text": …, "colour": …}, the last used first
    created = models.DateTimeField(default=timezone.now, editable=False)
    used = models.DateTimeField(default=timezone.now, editable=False)
    shown = models.ForeignKey(
        "Encounter", models.SET_NULL, null=True, blank=True, related_name="+", editable=False
    )  # the fight the players follow: the one begun last
    public_rev = models.PositiveIntegerField(default=0, editable=False)
    # raised only when what the players see changes
    public_board = models.TextField(default="", editable=False)
    # that, as `screens.published` writes it

    class Meta:
        ordering: ClassVar = ["-used", "-pk"]

    def __str__(self) -> str:
        return self.name


HERO_LIMIT = 200  # in a campaign


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
    hp = models.IntegerField(
        _("HP"), null=True, blank=True, validators=POSITIVE
    )  # as the last fight left it; None when unhurt
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
    speeds = models.JSONField(default=dict, editable=False)  # those that are not on foot
    hovers = models.BooleanField(default=False, editable=False)
    initiative_roll = models.CharField(max_length=15, default="auto", editable=False)
    cannot_be_surprised = models.BooleanField(default=False, editable=False)
    defences = models.JSONField(default=list, editable=False)  # as a combatant's are stored
    saves = models.JSONField(default=dict, editable=False)  # ability -> bonus

    class Meta:
        ordering: ClassVar = ["pk"]

    def __str__(self) -> str:
        return self.name
