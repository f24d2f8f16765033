"""Rosters by column generation: a column is one nurse's whole roster, and her rules live in the search for it."""
