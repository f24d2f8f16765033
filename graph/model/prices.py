"""What models cost: the user's own table, named by the environment."""

import json
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from wavegraph.graph.errors import SettingsError, explain
from wavegraph.graph.secrets.ways_out import error_text

PRICES = "WAVEGRAPH_PRICES"
"""Environment variable: a TOML or JSON file."""
_MILLION = 1_000_000
_Amount = Field(ge=0, allow_inf_nan=False)


class Price(BaseModel):
    """Of one model, for a million tokens."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: Decimal = _Amount
    cached_input: Decimal | None = Field(default=None, ge=0, allow_inf_nan=False)
    """Of input that the provider had cached; None = as any other."""
    output: Decimal = _Amount

    def of(self, *, input: int, cached: int, output: int) -> Decimal:
        """`cached`: how many of the input's tokens were."""
        cached_input = self.input if self.cached_input is None else self.cached_input
        return ((input - cached) * self.input + cached * cached_input + output * self.output) / _MILLION


class Prices(BaseModel):
    """By a model's name, all in one currency."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    currency: str = Field(default="USD", pattern=r"^[A-Z]{3}$")
    models: dict[str, Price]

    @classmethod
    def read(cls, path: Path) -> "Prices":
        """Raises SettingsError naming file, field and value."""
        try:
            text = path.read_text(encoding="utf-8")
            content: Any = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
            return cls.model_validate(content)
        except OSError as error:
            raise SettingsError(f"{PRICES}: cannot read {str(path)!r}: {error.strerror or error}") from None
        except ValidationError as error:
            raise SettingsError(f"{PRICES}: {str(path)!r}: {explain(error)}") from None
        except ValueError as error:
            raise SettingsError(f"{PRICES}: {str(path)!r} cannot be read: {error_text(error)}") from None

    def price(self, model: str) -> Price:
        """Raises SettingsError for a model that is not in the table: a cap on money must know what is spent."""
        if (found := self.models.get(model)) is None:
            known = ", ".join(sorted(self.models)) or "none"
            raise SettingsError(
                f"a cap on money is set, and {PRICES} has no price of the model {model!r}; known: {known}"
            )
        return found
