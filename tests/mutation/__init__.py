"""Mutants: the code changed in one small place at a time, to see whether a test tells.

`python3 manage.py test --mutants 300` tries so many, drawn at random; `--mutants all` tries all.
"""
