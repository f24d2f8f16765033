"""The public material's compressed JSON: the same content makes the same bytes."""

import gzip
import json
from pathlib import Path
from typing import Any


def packed(file: Path, content: Any) -> None:
    file.write_bytes(gzip.compress(json.dumps(content, ensure_ascii=False).encode(), mtime=0))


def unpacked(file: Path) -> Any:
    return json.loads(gzip.decompress(file.read_bytes()))
