"""Tests of the people screens."""
