"""Moved to `wavegraph.tools.roster.limits`."""

from wavegraph.tools.roster.limits import ALLOWED, EmpathyLimits, FatigueScale, Numbers, Points

__all__ = ["ALLOWED", "EmpathyLimits", "FatigueScale", "Numbers", "Points"]
