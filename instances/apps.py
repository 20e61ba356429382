from django.apps import AppConfig


class InstancesConfig(AppConfig):
    name = "instances"

    def ready(self) -> None:
        # Importing them registers the receivers.
        from instances.signin import receivers  # noqa: F401
