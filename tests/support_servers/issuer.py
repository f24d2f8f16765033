"""An identity provider on this machine: it signs tokens, and offers the keys that verify them."""

import threading
import time
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm
from loopback import JsonHandler, LoopbackServer

NO_EXPIRY: Any = object()


class Issuer(LoopbackServer):
    def __init__(self) -> None:
        super().__init__(_Keys)
        self.fetched = 0
        self.is_down = False
        self.offers: Any = None
        """In place of its keys."""
        self.keys: dict[str, ec.EllipticCurvePrivateKey] = {}
        self.renew("first")
        self._lock = threading.Lock()

    @property
    def jwks_url(self) -> str:
        return f"{self.url}/keys"

    def renew(self, kid: str) -> None:
        """Only this key from now on."""
        self.keys = {kid: ec.generate_private_key(ec.SECP256R1())}

    def jwks(self) -> dict[str, Any]:
        usual = {"use": "sig", "alg": "ES256"}
        return {
            "keys": [
                {**ECAlgorithm.to_jwk(key.public_key(), as_dict=True), "kid": kid, **usual}
                for kid, key in self.keys.items()
            ]
        }

    def token(self, sub: Any = "guest-7", *, expires_in_s: Any = 600, **claims: Any) -> str:
        ((kid, key),) = self.keys.items()
        ends = {} if expires_in_s is NO_EXPIRY else {"exp": int(time.time()) + expires_in_s}
        named = {} if sub is None else {"sub": sub}
        return jwt.encode({**named, **ends, **claims}, key, "ES256", headers={"kid": kid})

    def count(self) -> None:
        with self._lock:
            self.fetched += 1


class _Keys(JsonHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, Issuer)
        self.server.count()
        self.reply(500, {}) if self.server.is_down else self.reply(200, self.server.offers or self.server.jwks())
