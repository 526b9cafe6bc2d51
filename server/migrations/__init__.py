"""Numbered SQL scripts that bring the database to its newest form."""
