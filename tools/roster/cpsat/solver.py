"""CP-SAT's solver, set up and stopped the same way for every solve."""

import threading
from collections.abc import Callable

from ortools.sat.python import cp_model

POLL_S = 0.02
FEASIBLE = (cp_model.OPTIMAL, cp_model.FEASIBLE)
"""Where a solve ends with a solution."""


def new_solver(workers: int) -> cp_model.CpSolver:
    solver = cp_model.CpSolver()
    solver.parameters.catch_sigint_signal = False  # its handler replaces Python's, and crashes the process
    solver.parameters.num_workers = workers
    return solver


def solve_until(
    due: Callable[[], object],
    solver: cp_model.CpSolver,
    model: cp_model.CpModel,
    callback: cp_model.CpSolverSolutionCallback | None = None,
) -> cp_model.CpSolverStatus:
    """Solve, and stop the search once `due` is true. Raises RuntimeError for a model that CP-SAT rejects."""
    done = threading.Event()

    def stop_when_due() -> None:
        while not done.wait(POLL_S):  # repeatedly: CP-SAT ignores a stop that comes before the search has begun
            if due():
                solver.stop_search()

    stopper = threading.Thread(target=stop_when_due, daemon=True)
    stopper.start()
    status = solver.solve(model, callback)
    done.set()
    stopper.join()
    if status == cp_model.MODEL_INVALID:
        raise RuntimeError(f"CP-SAT rejects the model: {model.validate()}")
    return status
