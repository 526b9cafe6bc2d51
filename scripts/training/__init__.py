"""Training of the two networks. Needs the `train` extra; nothing here is part of the product."""
