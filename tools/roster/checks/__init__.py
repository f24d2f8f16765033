"""Checks of a finished roster. They share no code with the model that makes one, so neither hides the other's mistakes."""
