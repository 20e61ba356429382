"""Tests of a person's file."""
