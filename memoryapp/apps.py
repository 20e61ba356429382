from django.apps import AppConfig


class MemoryAppConfig(AppConfig):
    name = "memoryapp"

    def ready(self) -> None:
        # Importing them makes the Celery app known, and registers the checks and receivers.
        from memoryapp import celery, checks, receivers  # noqa: F401 - For their side effects.
        from memoryapp.telemetry import traces

        traces.start()
