"""Any command, drawn by chance, about somebody who is chosen when it is given."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast
from uuid import uuid4

from hypothesis import strategies as st

import rules
from encounters.forms import VERBS
from encounters.models import Encounter
from tests.rules.drawn import combatants, dice, numbers, totals

Build = Callable[[rules.Fight], rules.Command]
BY_VERB = {verb.verb: verb for verb in VERBS}


def one(fight: rules.Fight, index: int) -> int:
    """The number of somebody who is there, or of nobody."""
    there = fight.combatants
    return there[index % len(there)].number if there else 0


def place(fight: rules.Fight, index: int) -> int:
    return fight.slots[index % len(fight.slots)].number if fight.slots else 0


def twice(fight: rules.Fight, index: int) -> int:
    """The number of somebody with a second turn; of anybody where nobody has one."""
    given = [fight.members(s.number)[0].number for s in fight.slots if s.extra_of is not None]
    return given[index % len(given)] if given else one(fight, index)


def lasting() -> st.SearchStrategy[rules.Effect]:
    """Conditions and own words, with an end of any kind."""
    return st.builds(
        rules.Effect,
        code=st.sampled_from([c for c in rules.PUT_ON if c not in ("exhaustion", "concentration")]),
        text=st.just("hexed"),
        ends=st.sampled_from(["", "start", "end"]),
        turns=st.integers(0, 2),
        hangs=st.booleans(),
        save=st.sampled_from(["", "wis"]),
        dc=st.just(12),
        each=st.sampled_from(["", "1", "1d4"]),
        heals=st.booleans(),
        needs_hp=st.booleans(),
        stopped_by=st.sampled_from(["", "fire"]),
    )


def tired() -> st.SearchStrategy[rules.Effect]:
    return st.builds(rules.Effect, code=st.just("exhaustion"), level=st.integers(1, 6))


def fitting(index: int, kind: str) -> Build:
    """A change of the order that fits those who are there, if there is one."""

    def build(fight: rules.Fight) -> rules.Command:
        groups = [own for own in fight.by_slot().values() if len(own) > 1]
        pairs = [
            (a.number, b.number)
            for a in fight.combatants
            for b in fight.combatants
            if a.side == b.side and a.slot != b.slot and not b.is_hero
        ]
        waiting = [slot.number for slot in fight.slots if slot.waiting is not None]
        if kind == "split" and groups:
            return rules.Split((groups[index % len(groups)][0].number,))
        if kind == "merge" and pairs:
            return rules.Merge(pairs[index % len(pairs)])
        if kind == "mount" and pairs:
            rider, mount = pairs[index % len(pairs)]
            return rules.Mount(mount, rider)
        return rules.ComeBack(waiting[index % len(waiting)] if waiting else 0)

    return build


def instead(index: int, amount: int, word: str) -> Build:
    """Damage that fells or does not."""
    return lambda fight: rules.Damage(one(fight, index), amount, type="fire", instead=word)


def commands() -> dict[str, st.SearchStrategy[Build]]:
    """Any command, about somebody who is chosen when it is given."""

    def about(kind: Callable[..., rules.Command], index: int, *rest: object) -> Build:
        return lambda fight: kind(one(fight, index), *rest)

    def several(kind: Callable[..., rules.Command], indexes: list[int], *rest: object) -> Build:
        return lambda fight: kind(tuple({one(fight, index) for index in indexes}), *rest)

    def totalled(given: dict[int, int | None]) -> Build:
        return lambda fight: rules.RollInitiative(
            totals={place(fight, index): total for index, total in given.items()}
        )

    def moved(index: int, before: int) -> Build:
        return lambda fight: rules.Reorder(place(fight, index), place(fight, before))

    def settled(fight: rules.Fight) -> rules.Command:
        ties = [tie for tie in rules.ties(fight) if tie.open]
        return rules.BreakTie(tuple(reversed(ties[0].slots)) if ties else ())

    def placed(kind: Callable[..., rules.Command], index: int) -> Build:
        return lambda fight: kind(place(fight, index))

    def mounted(index: int, rider: int | None) -> Build:
        return lambda fight: rules.Mount(
            one(fight, index), None if rider is None else one(fight, rider)
        )

    def typed(verb: str, fields: dict[str, Any]) -> Build:
        """What a form makes of the fight: it rolls the dice that are needed."""
        form = BY_VERB[verb]({"key": uuid4(), **fields}, cast("Encounter", None))
        assert form.is_valid(), form.errors
        return form.command

    def put_on(index: int, source: int, effect: rules.Effect, rounds: int) -> Build:
        return lambda fight: rules.AddEffect(
            one(fight, index),
            replace(effect, source=one(fight, source) if effect.hangs else None),
            rounds,
            anyway=True,
        )

    def due(index: int, kind: type[rules.Dismiss | rules.Settle], made: bool) -> Build:
        def build(fight: rules.Fight) -> rules.Command:
            owing = [(c.number, due) for c in fight.combatants for due in c.dues]
            who, first = owing[index % len(owing)] if owing else (0, rules.Due("save"))
            if kind is rules.Dismiss:
                return rules.Dismiss(who, first)
            return rules.Settle(who, first, made, total=3)

        return build

    def written(kind: Callable[..., rules.Command], index: int, round_: int) -> Build:
        return lambda fight: kind(one(fight, index), {"arrives": round_})

    who, yes = numbers(), st.booleans()
    sides = st.sampled_from(["heroes", "foes", "beasts", "third"])
    some = st.lists(numbers(), min_size=1, max_size=2)
    amounts = st.integers(0, 9)
    edits = st.fixed_dictionaries(
        {}, optional={"name": st.just("Grak"), "label": st.just("Shadow"), "ac": amounts}
    )
    on_a_turn = st.one_of(
        st.builds(put_on, who, who, lasting(), st.sampled_from([0, 0, 1, 2])),
        st.builds(put_on, who, who, tired(), st.just(0)),
        st.builds(about, st.just(rules.DeathSave), who, st.integers(1, 20)),
        st.builds(about, st.sampled_from([rules.Stabilise, rules.Revive]), who),
        st.builds(about, st.just(rules.SetHitPoints), who, st.integers(0, 9)),
        st.builds(about, st.just(rules.ChangeMaximum), who, st.integers(-5, 5)),
        st.builds(about, st.just(rules.AddUse), who, st.sampled_from(["Rage", "Luck"]), st.just(2)),
        st.builds(about, st.sampled_from([rules.SpendUse, rules.RemoveUse]), who, st.just("Rage")),
        st.builds(due, who, st.sampled_from([rules.Dismiss, rules.Settle]), yes),
        st.builds(
            about,
            st.just(rules.RemoveEffect),
            who,
            st.sampled_from([*rules.CONDITIONS, *rules.REMINDERS]),
        ),
        st.builds(
            about,
            st.just(rules.TakeAction),
            who,
            st.sampled_from(["dash", "dodge", "disengage", "help", "ready", "attack"]),
            st.sampled_from(rules.COSTS),
            st.sampled_from(["", "the bell"]),
        ),
        st.builds(about, st.just(rules.Move), who, st.integers(-30, 60)),
        st.builds(
            about, st.just(rules.SetSpent), who, st.sampled_from(["action", "bonus", "object"]), yes
        ),
        st.builds(about, st.just(rules.ChooseSpeed), who, st.sampled_from(rules.WAYS)),
        st.builds(about, st.sampled_from([rules.StandUp, rules.ReleaseReadied]), who),
    )
    fits = st.sampled_from(["split", "merge", "mount", "come-back"])
    of_the_order = st.one_of(
        st.builds(fitting, who, fits),
        st.builds(fitting, who, fits),
        st.builds(fitting, who, fits),
        st.builds(about, st.just(rules.GiveExtraTurn), who),
        st.builds(lambda i: lambda fight: rules.RemoveExtraTurn(twice(fight, i)), who),
        st.builds(placed, st.sampled_from([rules.Wait, rules.ComeBack]), who),
        st.builds(several, st.sampled_from([rules.Split, rules.Merge]), some),
        st.builds(several, st.just(rules.ChangeSide), some, sides),
        st.builds(mounted, who, st.none() | who),
        st.builds(written, st.just(rules.Edit), who, st.integers(0, 4)),
    )
    others = st.one_of(
        st.builds(about, st.sampled_from([rules.Damage, rules.Heal]), who, amounts),
        st.builds(instead, who, amounts, st.sampled_from(rules.INSTEAD)),
        st.builds(about, st.just(rules.GiveTemporary), who, amounts),
        st.builds(about, st.sampled_from([rules.SetOut, rules.SetReaction]), who, yes),
        st.builds(about, st.just(rules.Edit), who, edits),
        st.builds(about, st.just(rules.OverrideSurprise), who, st.just("surprised")),
        st.builds(several, st.just(rules.SetHidden), some, yes),
        st.builds(several, st.just(rules.SetLabel), some, st.sampled_from(["", "Hooded figure"])),
        st.builds(several, st.sampled_from([rules.Leave, rules.StopHiding]), some),
        st.builds(lambda a, b, on: lambda _: rules.Ally(a, b, on), sides, sides, yes),
        st.builds(
            typed,
            st.sampled_from(["roll-initiative", "start-fight", "next-turn", "add-lair"]),
            st.just({"accept_empty": "1"}),
        ),
        st.builds(typed, st.just("hide-side"), st.just({"side": "foes"})),
        st.builds(typed, st.just("roll-off"), st.integers(8, 12).map(lambda n: {"total": n})),
        st.builds(
            typed,
            st.just("change-settings"),
            st.fixed_dictionaries(
                {},
                optional={n: st.sampled_from(list(map(str, c))) for n, c in rules.CHOICES.items()},
            ),
        ),
        st.builds(
            lambda c, die, round_: lambda _: rules.Join((replace(c, arrives=round_),), (die,)),
            combatants(),
            dice(),
            st.sampled_from([0, 0, 2, 3]),
        ),
        st.builds(lambda i, n: lambda f: rules.Hide({one(f, i): n}), who, st.integers(8, 16)),
        st.builds(lambda i: lambda f: rules.GiveTurn(place(f, i)), who),
        st.builds(moved, who, who),
        st.builds(totalled, st.dictionaries(who, totals(), max_size=3)),
        st.just(settled),
        st.just(lambda _: rules.NextTurn()),
        st.just(lambda _: rules.EndFight()),
        st.just(lambda _: rules.ReopenFight()),
        st.just(lambda _: rules.OpenFight()),
        st.just(lambda _: rules.StartFight(accept_empty=True)),
    )
    return {"turn": on_a_turn, "order": of_the_order, "any": others}


COMMANDS = commands()
