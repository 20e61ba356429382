"""Rules of which model may see what: setting and removing them."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from instances.access import managed_instance, signed_in
from instances.actor import Actor
from instances.translatable import translated
from memoryapp.suppression import sending_rules
from memoryapp.web.settings.forms.sending import SendingRuleForm, rule_in_row
from memoryapp.web.settings.pages import PAGE_OF, card_url, form_of
from memoryapp.web.settings.views import render_page


@form_of("sending")
def set_rule(request: HttpRequest, slug: str) -> HttpResponse:
    """Set a rule."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    form = SendingRuleForm(request.POST, instance=instance, prefix="sending")
    if form.is_valid():
        try:
            sending_rules.add_rule(instance, form.rule, by=Actor(request.user))
        except sending_rules.SendingRuleRefused as error:
            form.add_error(None, translated(error.args[0]))
        else:
            messages.success(request, _("Saved."))
            return redirect(card_url(slug, "sending"))
    return render_page(request, instance, PAGE_OF["sending"], status=422, sending_form=form)


@require_POST
def remove_rule(request: HttpRequest, slug: str) -> HttpResponse:
    """Remove a rule."""
    request = signed_in(request)
    instance = managed_instance(request, slug)
    rule = rule_in_row(request.POST.get("row", ""))
    if rule and sending_rules.remove_rule(instance, rule, by=Actor(request.user)):
        messages.success(request, _("Removed."))
    return redirect(card_url(slug, "sending"))
