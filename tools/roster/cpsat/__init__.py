"""A roster by constraint programming: the ward as a CP-SAT model, its search, lower bound and contradictions."""
