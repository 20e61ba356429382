"""A local OpenID Connect provider with scripted claims."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT_ID = "keepsake"
CLIENT_SECRET = "a-secret-between-the-two"


class IdentityProvider:
    """Discovery, keys, tokens and userinfo of the provider."""

    def __init__(self, address: str) -> None:
        self.issuer = address
        self.requests: list[str] = []
        #: Claims of the ID token, and additional claims of the userinfo endpoint.
        self.claims: dict[str, Any] = {"sub": "248289761001"}
        self.userinfo: dict[str, Any] = {}
        self.discovery: dict[str, Any] = {}
        #: JWKS to publish instead of the real key.
        self.jwks: dict[str, Any] | None = None
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        #: The signing key, which may differ from the published one.
        self.signing_key = self.key
        #: The last form received by the token endpoint.
        self.exchanged: dict[str, str] = {}

    def answer(self, path: str, form: dict[str, str]) -> dict[str, Any] | None:
        """Return the response for *path*, if it exists."""
        match path:
            case "/.well-known/openid-configuration":
                return {
                    "issuer": self.issuer,
                    "authorization_endpoint": "https://login.example.org/authorize",
                    "token_endpoint": f"{self.issuer}/token",
                    "jwks_uri": f"{self.issuer}/jwks",
                    "userinfo_endpoint": f"{self.issuer}/userinfo",
                } | self.discovery
            case "/jwks" if self.jwks is not None:
                return self.jwks
            case "/jwks":
                public = jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key(), as_dict=True)
                return {"keys": [public | {"kid": "first", "use": "sig", "alg": "RS256"}]}
            case "/token":
                self.exchanged = form
                return {"access_token": "opaque", "token_type": "Bearer", "id_token": self.token()}
            case "/userinfo":
                return {"sub": self.claims["sub"]} | self.userinfo
        return None

    def token(self) -> str:
        """Return an ID token."""
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": CLIENT_ID, "iat": now, "exp": now + 300} | self.claims
        return jwt.encode(claims, self.signing_key, algorithm="RS256", headers={"kid": "first"})


@contextmanager
def identity_provider() -> Iterator[IdentityProvider]:
    """Run a provider on a free port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer()

        def do_POST(self) -> None:
            self._answer()

        def log_message(self, format: str, *args: Any) -> None:
            pass

        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            provider.requests.append(self.path)
            response = provider.answer(self.path, {k: v[0] for k, v in parse_qs(body).items()})
            content = json.dumps(response or {}).encode()
            self.send_response(200 if response is not None else 404)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider = IdentityProvider(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
    )
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
