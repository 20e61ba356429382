"""``/palette``: search, screens, actions and instances in one list."""
