"""What happened, chapter by chapter: a sentence for each event of the rules."""
