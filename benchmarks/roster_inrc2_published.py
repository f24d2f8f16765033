"""What is published of INRC-II's instances of four weeks.

- `BEST`: all weeks known. Solutions in sugawara-system/Schedule_Nurse3_Gallery (2ab5f883, `English/Benchmarks/INRC2/4weeks`), most with
  the official validator's printout; our scorer gives each the same parts. That of n030w4_1_6-2-9-1 has no printout, its cost
  is by our scorer.
- `BOUND`: the last line of the logs beside them; where there is none, the root bound of wssuite/NurseScheduler (2904f246, `results/`).
  A cost is a multiple of 5, so a bound may be rounded up to one.
- `WINNER`: week by week, the competition's winner (Roemer and Mellouli) on the hidden sets, best and mean of ten runs: `Win min`, `Win ave` of
  `data/Final-Ranking-20150826.csv` in Zhouxing-Su/NurseRosteringProblem (64ebb284), of another finalist.
- `LATE`: week by week, the best of nine teams on the two late instances of a public set: the organisers' table of validated results, read from
  a public note on it, which does not say which cost is of which instance.
"""

from benchmarks.roster_inrc2_sets import Instance

BEST = {
    "n030w4_1_6-2-9-1": 1670,
    "n030w4_1_6-7-5-3": 1820,
    "n035w4_0_1-7-1-8": 1360,
    "n035w4_2_8-8-7-5": 1080,
    "n040w4_0_2-0-6-1": 1565,
    "n040w4_2_6-1-0-6": 1750,
    "n050w4_0_0-4-8-7": 1320,
    "n050w4_0_7-2-7-2": 1315,
    "n060w4_1_6-1-1-5": 2455,
    "n060w4_1_9-6-3-8": 2675,
    "n070w4_0_3-6-5-1": 2380,
    "n070w4_0_4-9-6-7": 2115,
    "n080w4_2_4-3-3-3": 3300,
    "n080w4_2_6-0-4-8": 3190,
    "n100w4_0_1-1-0-8": 1170,
    "n100w4_2_0-6-4-6": 1785,
    "n110w4_0_1-4-2-8": 2330,
    "n110w4_0_1-9-3-5": 2455,
    "n120w4_1_4-6-2-6": 2020,
    "n120w4_1_5-6-9-8": 2050,
}
BOUND = {
    "n030w4_1_6-2-9-1": 1660,
    "n035w4_0_1-7-1-8": 1340,
    "n035w4_2_8-8-7-5": 1080,
    "n040w4_0_2-0-6-1": 1540,
    "n070w4_0_4-9-6-7": 2105,
    "n110w4_0_1-9-3-5": 2455,
}
WINNER = {
    "n035w4_0_1-7-1-8": (1630, 1630.0),
    "n035w4_2_8-8-7-5": (1255, 1367.5),
    "n070w4_0_3-6-5-1": (2705, 2723.0),
    "n070w4_0_4-9-6-7": (2430, 2446.0),
    "n110w4_0_1-4-2-8": (2720, 2725.0),
    "n110w4_0_1-9-3-5": (2970, 3065.0),
}
LATE = {
    "n030w4": (1755, 1935),
    "n040w4": (1730, 1880),
    "n050w4": (1480, 1490),
    "n060w4": (2815, 2950),
    "n080w4": (3535, 3570),
    "n100w4": (1445, 2100),
    "n120w4": (2435, 2485),
}
NOTHING = "-"


def competition(chosen: Instance) -> str:
    """What the competition's solvers reached week by week, as the table prints it."""
    if chosen.name in WINNER:
        best, mean = WINNER[chosen.name]
        return f"{best}, mean {mean:g}"
    if chosen.name in BEST and chosen.of in LATE:
        return " or ".join(map(str, LATE[chosen.of]))
    return NOTHING
