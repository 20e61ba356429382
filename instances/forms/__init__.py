"""The forms of the screens in `instances.views`, in modules of the same names."""
