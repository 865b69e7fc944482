from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Book",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                ("source", models.CharField(max_length=20, unique=True)),
                ("digest", models.CharField(max_length=64)),
            ],
            options={
                "verbose_name": "book",
                "verbose_name_plural": "books",
            },
        ),
        migrations.CreateModel(
            name="Creature",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True,
                        primary_key=True,
                        serialize=False,
                        verbose_name="ID",
                    ),
                ),
                ("source", models.CharField(max_length=20)),
                ("key", models.CharField(max_length=80)),
                ("name", models.CharField(max_length=80)),
                ("name_fr", models.CharField(max_length=80)),
                ("edition", models.CharField(max_length=4)),
                ("size", models.CharField(max_length=20)),
                ("type", models.CharField(max_length=20)),
                ("cr", models.CharField(max_length=5)),
                ("cr_value", models.FloatField()),
                ("xp", models.IntegerField()),
                ("ac", models.IntegerField()),
                ("hp", models.IntegerField()),
                ("hit_dice", models.CharField(max_length=20)),
                ("speed", models.IntegerField()),
                ("dexterity", models.IntegerField()),
                ("initiative", models.IntegerField()),
                ("stealth", models.IntegerField()),
                ("passive_perception", models.IntegerField()),
                ("search_en", models.TextField()),
                ("search_fr", models.TextField()),
                ("last_used", models.DateTimeField(blank=True, null=True)),
                ("facts", models.JSONField()),
            ],
            options={
                "verbose_name": "creature",
                "verbose_name_plural": "creatures",
                "constraints": [
                    models.UniqueConstraint(fields=("source", "key"), name="creature_source_key")
                ],
            },
        ),
    ]
