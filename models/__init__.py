"""Trained weights and their manifest. Data only."""
