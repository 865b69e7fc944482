"""Creatures that are in fights already get their defences, saves and uses out of the book."""

from django.db import migrations

from encounters import book_facts
from rules.plain import list_to_plain


def fill(apps, schema_editor):
    combatants = apps.get_model("encounters", "Combatant").objects
    creatures = apps.get_model("bestiary", "Creature").objects
    codes = set(combatants.exclude(creature="").values_list("creature", flat=True))
    for code in sorted(codes):
        source, _, key = code.partition("/")
        facts = creatures.filter(source=source, key=key).values_list("facts", flat=True).first()
        if facts:
            combatants.filter(creature=code, uses=[], defences=[], saves={}).update(
                defences=list_to_plain(book_facts.defences(facts)),
                saves=book_facts.saves(facts),
                uses=list_to_plain(book_facts.uses(facts)),
            )


class Migration(migrations.Migration):
    dependencies = [
        ("encounters", "0003_everything_in_a_fight"),
        ("bestiary", "0001_initial"),
    ]
    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
