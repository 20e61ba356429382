"""The retention rules of an instance: trying, setting and removing them."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from instances.access import managed_instance, signed_in
from instances.actor import Actor
from memoryapp.forgetting import retention
from memoryapp.models import RetentionRule
from memoryapp.web.settings.forms.retention import RetentionForm
from memoryapp.web.settings.pages import PAGE_OF, card_url, form_of
from memoryapp.web.settings.views import render_page


@form_of("retention")
def set_rule(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what a rule would delete; set it once the person has seen that."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    form = RetentionForm(request.POST, instance=instance, prefix="rule")
    if not form.is_valid() or form.rule is None:
        return render_page(request, instance, PAGE_OF["retention"], status=422, retention_form=form)
    rule = form.rule
    # The fields may have changed since.
    if request.POST.get("seen") != str(rule):
        return render_page(
            request,
            instance,
            PAGE_OF["retention"],
            retention_form=form,
            preview=retention.preview(rule),
            previewed=rule,
        )
    retention.set_rule(rule, by=Actor(request.user))
    messages.success(request, _("The rule is set. It applies from the next night on."))
    return redirect(card_url(slug, "retention"))


@require_POST
def remove_rule(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Remove a rule."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    rules = RetentionRule.objects.select_related("instance")
    rule = get_object_or_404(rules, pk=pk, instance=instance)
    retention.remove_rule(rule, by=Actor(request.user))
    messages.success(request, _("The rule is removed."))
    return redirect(card_url(slug, "retention"))
