"""Gives the rules their place in the project; they have no models."""

from django.apps import AppConfig


class RulesConfig(AppConfig):
    name = "rules"
