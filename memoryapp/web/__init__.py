"""The screens: one module each. A view parses, makes one call, and renders."""
