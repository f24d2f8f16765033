"""The benchmarks are run as modules from the repository's root, so they are imported alike."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
