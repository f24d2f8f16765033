"""Write the ward files: 60 that can be kept and 12 that cannot.

`python -m benchmarks.wards.make` writes `kept/NN.yaml` and `short/NN.yaml` beside this file, the same each time.
"""

from pathlib import Path

from benchmarks.wards.draw import BANDS, Ward, kept, text
from benchmarks.wards.short import SHORT, short

HERE = Path(__file__).parent


def files() -> dict[str, Ward]:
    """All wards by name, such as `kept/07`."""
    numbers = range(1, sum(wards for _, _, wards in BANDS) + 1)
    wards = {f"kept/{number:02}": kept(number) for number in numbers}
    return wards | {f"short/{number:02}": short(number) for number in range(1, len(SHORT) + 1)}


def main() -> None:
    for name, ward in files().items():
        path = HERE / f"{name}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text(ward), encoding="utf-8")


if __name__ == "__main__":
    main()
