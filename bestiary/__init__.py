"""The book: the creatures that a game master draws from."""
