"""Conditions, concentration and the GM's own words: put on with when they end, and taken away."""

from typing import Any, cast

from django import forms

import rules
from encounters import labels, steps
from encounters.effect_words import ABILITIES, COLOURS, DAMAGE_TYPES, EDGES, LASTS
from encounters.forms.amounts import DamageTypes
from encounters.forms.base import TYPED_MINUS, TargetsForm, Whole, Words
from encounters.labels import EFFECTS
from encounters.models import Campaign
from encounters.refusals import REFUSALS

LEVELS = {"more-exhaustion": 1, "less-exhaustion": -1}  # codes of the form alone
REMEMBERED = 30  # of the GM's own words, in a campaign
HEALING = "healing"


def choices(words: dict[str, Any]) -> list[tuple[str, Any]]:
    return list(words.items())


def no_such_effect() -> forms.ValidationError:
    return forms.ValidationError(str(REFUSALS["no-such-effect"]))


ACTING = 0  # as a source: whoever has the turn


class Source(Whole):
    """Whose doing something is: a combatant's number, or "acting"."""

    def clean(self, value: Any) -> int | None:
        return ACTING if value == "acting" else cast("int | None", super().clean(value))


def acting(fight: rules.Fight) -> int | None:
    """Whose turn it is, or the first of those; never a lair's."""
    if fight.current is None:
        return None
    own = rules.standing(fight.members(fight.current))
    return next((c.number for c in own if not c.is_lair), None)


class AddEffectForm(TargetsForm):
    """Put an effect on: what it is, how it ends, and what hangs on it.

    `effect` is its code; "own:blue:blessed" are own words with their colour, as they are
    remembered, and "more-exhaustion" and "less-exhaustion" go by one level.
    """

    verb = "add-effect"

    effect = forms.CharField(max_length=200)
    level = Whole(required=False, min_value=1, max_value=rules.EXHAUSTION_LIMIT)
    text = Words(max_length=rules.TEXT_LIMIT, required=False)
    colour = forms.ChoiceField(choices=choices(COLOURS), required=False)
    lasts = forms.ChoiceField(choices=choices(LASTS), required=False)
    n = Whole(required=False)
    source = Source(required=False, min_value=1)
    hangs = forms.BooleanField(required=False)
    spell = Words(max_length=rules.TEXT_LIMIT, required=False)
    save = forms.ChoiceField(choices=choices(ABILITIES), required=False)
    dc = Whole(required=False)
    save_at = forms.ChoiceField(choices=choices(EDGES), required=False)
    each_turn = forms.CharField(max_length=100, required=False)
    each_type = forms.ChoiceField(choices=[*choices(DAMAGE_TYPES), (HEALING, "")], required=False)
    each_at = forms.ChoiceField(choices=choices(EDGES), required=False)
    offered = forms.BooleanField(required=False)
    needs_hp = forms.BooleanField(required=False)
    stopped_by = DamageTypes(max_length=100, required=False)
    secret = forms.BooleanField(required=False)
    anyway = forms.BooleanField(required=False)

    def clean_effect(self) -> str:
        code, _colon, self.remembered = self.cleaned_data["effect"].partition(":")
        if code not in rules.PUT_ON and code not in LEVELS:
            raise no_such_effect()
        return str(code)

    def clean_n(self) -> int:
        n = self.cleaned_data["n"]
        if n is not None and not 1 <= n <= rules.DURATION_LIMIT:
            text = str(REFUSALS["duration-out-of-range"])
            raise forms.ValidationError(text % {"limit": rules.DURATION_LIMIT})
        return 1 if n is None else int(n)

    def clean_each_turn(self) -> str:
        text = self.cleaned_data["each_turn"].translate(TYPED_MINUS).strip()
        if text:
            try:
                least = rules.roll(text, lambda _sides: 1).total
            except rules.RuleError as error:
                raise forms.ValidationError(labels.refusal(error)) from None
            if least < 0:
                values = {"limit": rules.AMOUNT_LIMIT}
                raise forms.ValidationError(str(REFUSALS["amount-out-of-range"]) % values)
        return str(text)

    def clean(self) -> None:
        facts = self.cleaned_data
        colour, _colon, words = getattr(self, "remembered", "").partition(":")
        if words:
            facts |= {"text": words, "colour": colour}
        if facts.get("save") and not 1 <= (facts.get("dc") or 0) <= 99:
            self.add_error("dc", str(REFUSALS["dc-out-of-range"]))
        if self._needs_source and facts.get("source") is None and "source" not in self.errors:
            self.add_error("source", str(REFUSALS["source-missing"]))

    @property
    def _needs_source(self) -> bool:
        facts = self.cleaned_data
        return bool(facts.get("hangs")) or str(facts.get("lasts")).endswith("-source")

    def command(self, fight: rules.Fight) -> rules.Command:
        if self.cleaned_data["source"] == ACTING:
            self.cleaned_data["source"] = acting(fight)
            if self._needs_source and self.cleaned_data["source"] is None:
                raise rules.RuleError("source-missing")
        code = self.cleaned_data["effect"]
        if code in LEVELS:
            return self.each_able(fight, lambda n: self._by_a_level(fight.combatant(n), code))
        level = (self.cleaned_data["level"] or 1) if code == "exhaustion" else 0
        put = self.each(lambda n: self._put_on(n, code, level))
        begun = self._concentration(fight)
        return rules.Together((begun, put)) if begun else put

    def take(self) -> steps.Taken:
        taken = super().take()
        facts = self.cleaned_data
        if facts["effect"] == "own" and not taken.repeated:
            remember(taken.encounter.campaign, facts["text"], facts["colour"])
        return taken

    def _by_a_level(self, who: rules.Combatant, code: str) -> rules.Command:
        level = who.level("exhaustion") + LEVELS[code]
        if level < 1:
            return rules.RemoveEffect(who.number, "exhaustion")
        return self._put_on(who.number, "exhaustion", level)

    def _put_on(self, number: int, code: str, level: int) -> rules.Command:
        facts = self.cleaned_data
        worded = code in ("own", "concentration")
        heals = facts["each_type"] == HEALING
        effect = rules.Effect(
            code,
            level,
            facts["text"].strip() if worded else "",
            source=None if code == "concentration" else facts["source"],
            hangs=facts["hangs"] and code != "concentration",
            save=facts["save"],
            dc=facts["dc"] if facts["save"] else 0,
            save_at=facts["save_at"] or "end",
            each=facts["each_turn"],
            each_type="" if heals else facts["each_type"],
            each_at=facts["each_at"] or "start",
            heals=heals,
            offered=facts["offered"],
            needs_hp=heals and facts["needs_hp"],
            stopped_by=facts["stopped_by"] if heals else "",
            colour=facts["colour"] if code == "own" else "",
            secret=facts["secret"],
            **self._end(),
        )
        return rules.AddEffect(number, effect, self._rounds, facts["anyway"])

    def _end(self) -> dict[str, Any]:
        """The turn that ends it; nothing when rounds do, or nothing does."""
        turn, _dash, whose = self.cleaned_data["lasts"].removeprefix("turn-").partition("-")
        if not whose:
            return {}
        source = self.cleaned_data["source"] if whose == "source" else None
        return {"ends": turn, "turns": self.cleaned_data["n"], "whose": source}

    @property
    def _rounds(self) -> int:
        kind, _colon, preset = self.cleaned_data["lasts"].partition(":")
        return int(preset or self.cleaned_data["n"]) if kind == "rounds" else 0

    def _concentration(self, fight: rules.Fight) -> rules.Command | None:
        """What the source has to concentrate on first; None when it does so already."""
        facts = self.cleaned_data
        if not facts["hangs"] or facts["effect"] == "concentration":
            return None
        spell = facts["spell"].strip()
        held = [e for e in fight.combatant(facts["source"]).effects if e.code == "concentration"]
        if held and spell in ("", held[0].text):
            return None
        end = self._end()
        if end and end["whose"] is None:
            end["whose"] = self.targets[0]
        effect = rules.Effect("concentration", text=spell, secret=facts["secret"], **end)
        return rules.AddEffect(facts["source"], effect, self._rounds)


def remember(campaign: Campaign, text: str, colour: str) -> None:
    """Keep the GM's own words for the next time, the last used first."""
    words = {"text": text.strip(), "colour": colour}
    others = [one for one in campaign.own_words if one["text"] != words["text"]]
    campaign.own_words = [words, *others][:REMEMBERED]
    campaign.save(update_fields=["own_words"])


class RemoveEffectForm(TargetsForm):
    """Take it from all of the targets that have it.

    `effect` is a code, "frightened:3" that from combatant 3 alone, "own:3:blessed" or
    "own::blessed" also these words alone.
    """

    verb = "remove-effect"

    effect = forms.CharField(max_length=200)

    def clean_effect(self) -> tuple[str, str | None, int | None]:
        code, _colon, rest = self.cleaned_data["effect"].partition(":")
        source, colon, text = rest.partition(":")
        number = source.isascii() and source.isdigit() and len(source) < 10
        if code not in EFFECTS or not (number or source == ""):
            raise no_such_effect()
        return code, text if colon else None, int(source) if source else None

    def command(self, fight: rules.Fight) -> rules.Command:
        code, text, source = self.cleaned_data["effect"]
        return self.each_able(fight, lambda n: rules.RemoveEffect(n, code, text, source))
