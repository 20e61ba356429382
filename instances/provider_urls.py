"""Addresses of providers as people enter them, and their servers."""

from functools import lru_cache
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError

from instances.translatable import translatable, translated


def base_url_problem(base_url: str) -> str:
    """Return what is wrong with an address, for the person who entered it; empty if nothing is."""
    if not base_url:
        return translatable("The address is missing.")
    if any(c.isspace() or not c.isprintable() for c in base_url):
        return translatable("The address contains a space or a line break.")
    try:
        url = urlsplit(base_url)
        hostname, _ = url.hostname, url.port
    except ValueError:
        return translatable("The address is not a valid URL.")
    if url.scheme not in ("http", "https") or not hostname:
        return translatable("The address must begin with http:// or https://, then a host name.")
    if url.username is not None or url.password is not None or url.query or url.fragment:
        return translatable(
            "The address must not contain a password, ? or #. The key has a field of its own."
        )
    if not server_of(base_url):
        return translatable("The address is not a valid URL.")
    if url.path.rstrip("/").endswith(("/chat/completions", "/embeddings")):
        return translatable("Leave /chat/completions or /embeddings off the end of the address.")
    return ""


def validate_base_url(base_url: str) -> None:
    """Refuse an address that no provider can have. Containers have hosts without a dot."""
    if problem := base_url_problem(base_url):
        raise ValidationError(translated(problem))


_USUAL_PORTS = {"http": 80, "https": 443}


@lru_cache(maxsize=256)
def server_of(base_url: str) -> str:
    """Return the server of an address, such as ``https://api.openai.com`` or
    ``http://localhost:11434``; empty if the address has none.

    Equal results mean the same server: scheme and host are in lower case, the host is in its ASCII
    form (IDNA), and the scheme's default port is left out. The library that sends the requests
    parses the address, so both see the same host.
    """
    from httpx2 import URL, InvalidURL  # Slow to import, and many processes never need it.

    try:
        url = URL(base_url)
    except InvalidURL:
        return ""
    usual = _USUAL_PORTS.get(url.scheme)
    host = url.raw_host.decode("ascii").lower()
    if usual is None or not host:
        return ""
    host = f"[{host}]" if ":" in host else host
    return f"{url.scheme}://{host}" + (f":{url.port}" if url.port not in (None, usual) else "")


def name_of(server: str, *, next_to: str = "") -> str:
    """Return the name of a *server* for screens: its host and port, and the scheme only if the
    server *next_to* it has the same host and port.
    """
    host, other = (each.partition("://")[2] for each in (server, next_to))
    return server if host == other else host
