from django.apps import AppConfig


class MemoryAppConfig(AppConfig):
    name = "memoryapp"

    def ready(self) -> None:
        # Importing them makes the Celery app known and connects the receivers.
        from memoryapp import celery, receivers  # noqa: F401
