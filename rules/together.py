"""Several commands as one."""

from dataclasses import dataclass

from rules.fight import Command, Event, Fight, Outcome
from rules.surprise import BearsOnSurprise, found_again


@dataclass(frozen=True, slots=True)
class Together:
    """Several commands as one: all of them happen, or none.

    Surprise that hangs on them is found when somebody asks for it, or at the end: once for all.
    """

    commands: tuple[Command, ...]

    def run(self, fight: Fight) -> Outcome:
        events: list[Event] = []
        pending = counts = False
        for command in self.commands:
            if isinstance(command, BearsOnSurprise):
                outcome, pending = command.change(fight), True
            else:
                outcome, pending = command.run(found_again(fight) if pending else fight), False
            fight, counts = outcome.fight, counts or outcome.counts
            for event in outcome.events:
                _tell(events, event)
        return Outcome(found_again(fight) if pending else fight, tuple(events), counts)


def _tell(events: list[Event], event: Event) -> None:
    """The event behind the others, or as one with that from which it differs in its people."""
    for index, one in enumerate(events):
        both = _joined(one, event)
        if both:
            events[index] = both
            return
    events.append(event)


def _joined(one: Event, other: Event) -> Event | None:
    """Two events that differ only in whom they are about, as one."""
    if one.code != other.code or "who" not in one.details:
        return None
    mine, others = dict(one.details), dict(other.details)
    who = [*mine.pop("who"), *others.pop("who")]
    return Event(one.code, {"who": who, **mine}) if mine == others else None
