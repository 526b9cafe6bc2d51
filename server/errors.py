"""Errors that the product reports to people."""

from __future__ import annotations


class UsageError(Exception):
    """Bad usage or unreadable input: one clear line for the person, exit code 2."""
