"""Checks of a finished roster. They share no code with the solvers, so that neither hides the other's mistakes."""
