"""Reading dominoes from pictures. Knows tiles and geometry, not rules: it never says "illegal"."""
