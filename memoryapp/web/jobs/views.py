"""The `/status/jobs` screen."""

from django.http import HttpResponse
from django.views.decorators.http import require_GET

from instances.access import Request, with_instance
from instances.models import Instance
from memoryapp.models import may_read
from memoryapp.web.jobs.job_list import ended_jobs, open_jobs
from memoryapp.web.layout import show


@require_GET
@with_instance("jobs")
def jobs(request: Request, instance: Instance) -> HttpResponse:
    """List the jobs that run and those that have ended; polled while one runs."""
    running = open_jobs(instance, capped=not may_read(instance))
    # Screen readers hear of changes in number, not of each poll.
    at_work = sum(job.percent is not None for job in running)
    announced = f"{len(running)}-{at_work}"
    context = {
        "section": "jobs",
        "running": running,
        "ended": ended_jobs(instance),
        "announced": announced,
        "announces": request.htmx and request.GET.get("announced") != announced,
    }
    return show(request, "jobs/page.html", "jobs/_list.html", context)
