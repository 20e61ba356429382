"""Filters that draw the graph."""

from django import template

from memoryapp.web.graph.graph_layout import Edge

register = template.Library()


@register.filter
def curve(line: Edge) -> str:
    """Return the SVG path of a *line* between two names."""
    begin, bend, end = (f"{x:g},{y:g}" for x, y in line.curve)
    return f"M{begin} Q{bend} {end}"


@register.filter
def arrow(line: Edge) -> str:
    """Return the SVG path of the arrow head at the end of *line*."""
    return " ".join(f"{'L' if n else 'M'}{x:g},{y:g}" for n, (x, y) in enumerate(line.head))
