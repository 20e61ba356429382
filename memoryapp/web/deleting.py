"""Deleting memories: the question, and the deed."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from instances.access import signed_in
from memoryapp.models import Memory
from memoryapp.pipeline.forgetting import forget
from memoryapp.web.desk import how_many, listing_of
from memoryapp.web.frame import show


@require_POST
def delete(request: HttpRequest) -> HttpResponse:
    """Ask, with the number in the question; then delete the checked ones, or all that match."""
    request = signed_in(request)
    current = listing_of(request)
    ids = [int(pk) for pk in request.POST.getlist("id") if pk.isdecimal() and len(pk) < 19]
    chosen = Memory.objects.in_instance(current.instance)
    everything = request.POST.get("all") == "yes"
    if everything:
        chosen = chosen.filter(pk__in=current.matching_ids())
        until = request.POST.get("until", "")
        if until.isdecimal() and len(until) < 19:
            # What came in since the question was asked was not in its number.
            chosen = chosen.filter(pk__lte=int(until))
    else:
        chosen = chosen.filter(pk__in=ids)
    if request.POST.get("confirmed") == "yes":
        count = forget(current.instance, chosen, by=request.user)
        messages.success(request, f"Deleted {how_many(count)}, with vectors and history.")
        return redirect(f"{reverse('memories')}?{current.query(page='')}")
    count = chosen.count()
    newest = chosen.order_by("-pk").values_list("pk", flat=True).first()
    context = {
        "listing": current,
        "count": count,
        "what": how_many(count),
        "ids": [] if everything else ids,
        "until": newest,
        "everything": everything,
        "only": chosen.first() if count == 1 else None,
    }
    return show(request, "memory/delete.html", "memory/_delete.html", context)
