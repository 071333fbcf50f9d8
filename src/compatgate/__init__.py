"""compatgate."""
