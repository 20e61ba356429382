"""The instance that a person looked at last: pages that belong to none keep it in their frame."""

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from instances.middleware import middleware
from instances.models import Instance

#: Outlasts signing out, so that who signs in again is where they were. It names an instance only;
#: who may see that is checked as for every address.
COOKIE = "instance"
MAX_AGE_SECONDS = 365 * 24 * 3600


def last_instance(request: HttpRequest) -> Instance | None:
    """Return the instance that the person looked at last; None if they may not see it any more."""
    slug, user = request.COOKIES.get(COOKIE, ""), request.user
    if not slug or "\x00" in slug or not user.is_authenticated:
        return None
    return Instance.objects.visible_to(user).filter(slug=slug).first()


def _remember(request: HttpRequest, response: HttpResponseBase) -> None:
    instance = getattr(request, "instance", None)
    if instance is not None and request.COOKIES.get(COOKIE) != instance.slug:
        response.set_cookie(
            COOKIE,
            instance.slug,
            max_age=MAX_AGE_SECONDS,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )


#: Remembers the instance of each screen.
remember_instance = middleware(after=_remember)
