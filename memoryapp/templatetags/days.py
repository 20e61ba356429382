"""Filters that write days, in the formats of the language of the page."""

from django import template

from memoryapp.web import day_formats

register = template.Library()

for _write in (
    day_formats.short_day,
    day_formats.day_and_month,
    day_formats.full_day,
    day_formats.moment,
    day_formats.weekday,
    day_formats.heading_day,
    day_formats.table_day,
    day_formats.month,
):
    register.filter(_write.__name__, _write, expects_localtime=True)
