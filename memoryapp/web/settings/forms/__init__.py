"""The forms of the screens in `memoryapp.web.settings`, in modules of the same names."""
