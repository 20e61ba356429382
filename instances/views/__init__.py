"""The screens of instances: one module for each subject, with its forms in `instances.forms`."""
