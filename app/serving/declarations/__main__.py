"""Writes both files into the folder that is named: `make types` runs it, then looks at what changed."""

import subprocess
import sys
from pathlib import Path

from wavegraph.app.serving.declarations import SCHEMA, TYPESCRIPT, banner, schema_text

NPX = ["npx", "--yes", "--package=json-schema-to-typescript@16", "json2ts", "--additionalProperties", "false"]


def main(folder: Path) -> None:
    text = schema_text()
    (folder / SCHEMA).write_text(text, encoding="utf-8")
    made = subprocess.run(
        [*NPX, "--bannerComment", banner(text), "-i", folder / SCHEMA], capture_output=True, text=True, check=True
    )
    (folder / TYPESCRIPT).write_text(made.stdout, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
