"""Checks of a finished roster. They share no code with the solvers, nor the rules as they are
declared for them, so that neither hides the other's mistakes."""
