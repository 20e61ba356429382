from django.apps import AppConfig


class InstancesConfig(AppConfig):
    name = "instances"

    def ready(self) -> None:
        # Importing them registers the checks and receivers.
        from instances.signin import checks, receivers  # noqa: F401 - For their side effects.
