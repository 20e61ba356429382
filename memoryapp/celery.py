"""The Celery application: ``celery -A memoryapp worker``."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")

app = Celery("keepsake")
app.config_from_object("django.conf:settings", namespace="CELERY")
# Replies are handed over from threads, which would else speak to an app of their own.
app.set_default()
app.autodiscover_tasks(["memoryapp"])
