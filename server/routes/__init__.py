"""HTTP handlers: short, no game logic."""
