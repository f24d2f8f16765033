"""The page's dependencies are pinned, by content, without the address of a registry."""

import json
import re
from pathlib import Path
from typing import Any

CONSOLE = Path(__file__).parents[3] / "console"


def read(name: str) -> Any:
    return json.loads((CONSOLE / name).read_text(encoding="utf-8"))


def test_every_package_is_pinned_by_its_content() -> None:
    packages = {name: each for name, each in read("package-lock.json")["packages"].items() if name}

    assert packages
    assert [name for name, each in packages.items() if not each["integrity"].startswith("sha512-")] == []


def test_no_address_is_written_down() -> None:
    assert (
        re.findall(r'"resolved"|https?://[^"]*\.tgz', (CONSOLE / "package-lock.json").read_text(encoding="utf-8")) == []
    )
    assert "omit-lockfile-registry-resolved=true" in (CONSOLE / ".npmrc").read_text(encoding="utf-8").splitlines()


def test_versions_are_exact() -> None:
    package = read("package.json")

    asked = {**package["dependencies"], **package["devDependencies"]}
    assert [f"{name} {version}" for name, version in asked.items() if not re.fullmatch(r"\d+\.\d+\.\d+", version)] == []
