"""Made pictures: seeded generators for training and measuring. Not part of the product."""
