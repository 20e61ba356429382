"""Screens of instances and their settings: a module for each subject, with its forms in `forms`."""
