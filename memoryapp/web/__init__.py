"""The screens, one folder each. A view parses the request, makes one call, and renders."""
