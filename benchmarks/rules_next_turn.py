"""How long the rules take for the next turn, in fights of 10, 30 and 100 combatants.

Target: at most 50 µs with 30 combatants. Run from the project's root:

    python -m benchmarks.rules_next_turn
"""

from statistics import median
from time import perf_counter_ns

import rules

SIZES = (10, 30, 100)  # combatants, each in a slot of its own
ROUNDS = 20
REPEATS = 9


def running(size: int) -> rules.Fight:
    joining = tuple(
        rules.Combatant(
            number=0,
            name=f"Combatant {i}",
            side="heroes" if i % 3 == 0 else "foes",
            is_hero=i % 3 == 0,
            max_hp=20,
            hp=20,
            initiative_bonus=i % 5,
            passive_perception=12,
        )
        for i in range(size)
    )
    fight = rules.Join(joining).run(rules.Fight()).fight
    fight = rules.OpenFight().run(fight).fight
    dice = {number: 1 + number % 20 for number in rules.unrolled(fight)}
    return rules.StartFight(dice).run(fight).fight


def microseconds_a_turn(fight: rules.Fight) -> float:
    """The mean over whole rounds, so that round changes count as often as they come."""
    turns = ROUNDS * len(fight.slots)
    command = rules.NextTurn()
    begun = perf_counter_ns()
    for _ in range(turns):
        fight = command.run(fight).fight
    return (perf_counter_ns() - begun) / turns / 1_000


def main() -> None:
    for size in SIZES:
        fight = running(size)
        times = [microseconds_a_turn(fight) for _ in range(REPEATS)]
        print(f"{size:4} combatants: {median(times):6.1f} µs a turn (best {min(times):.1f})")


if __name__ == "__main__":
    main()
