"""Addresses of providers, as people type them."""

from urllib.parse import urlsplit

from django.core.exceptions import ValidationError


def base_url_problem(base_url: str) -> str:
    """Say what is wrong with an address in words for the person who typed it; "" if nothing is."""
    if not base_url:
        return "The address is missing."
    if any(c.isspace() or not c.isprintable() for c in base_url):
        return "The address contains a space or a line break."
    try:
        url = urlsplit(base_url)
        hostname, _ = url.hostname, url.port
    except ValueError:
        return "The address is not a valid URL."
    if url.scheme not in ("http", "https") or not hostname:
        return "The address must begin with http:// or https://, then a host name."
    if url.username is not None or url.password is not None or url.query or url.fragment:
        return "The address must not contain a password, ? or #. The key has a field of its own."
    if url.path.rstrip("/").endswith(("/chat/completions", "/embeddings")):
        return "Leave /chat/completions or /embeddings off the end of the address."
    return ""


def validate_base_url(base_url: str) -> None:
    """Refuse an address that no provider can answer at. A host without a dot is fine: it is how
    containers call each other.
    """
    if problem := base_url_problem(base_url):
        raise ValidationError(problem)
