"""Check the witnesses with the product's own checker: `python -m benchmarks.wards.check` prints what each breaks."""

import json
import tempfile
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from wavegraph.app.main import app

HERE = Path(__file__).parent
OFF = "-"


def printed(*command: str) -> str:
    """What `wavegraph` prints for a command."""
    return CliRunner().invoke(app, command).stdout


def broken(name: str, roster: dict[str, str]) -> list[dict[str, Any]]:
    """The findings of `wavegraph roster check` that are more than a warning: breaches, and rest that is owed."""
    rows = {nurse: [None if cell == OFF else cell for cell in line] for nurse, line in roster.items()}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "roster.json")
        file.write_text(json.dumps({"roster": rows}), encoding="utf-8")
        report = json.loads(printed("roster", "check", str(file), "--ward", str(HERE / f"{name}.yaml"), "--json"))
    return [finding for finding in report["compliance"]["findings"] if finding["level"] != "warning"]


def main() -> None:
    witnesses = json.loads((HERE / "witnesses.json").read_text(encoding="utf-8"))
    for name, witness in witnesses.items():
        if witness["roster"] is None:
            print(name, "no roster")
            continue
        findings = broken(name, witness["roster"])
        uncovered = [one for one in findings if one["type"] in ("coverage", "skill_mix")]
        others = [one["detail"] for one in findings if one not in uncovered]
        missing = sum(one["expected"] - one["actual"] for one in uncovered)
        print(name, f"missing {missing}, claimed {witness.get('fewest', 0)}", *others)


if __name__ == "__main__":
    main()
