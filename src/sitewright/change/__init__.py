"""What becomes of a site over time: check that it still fits, compare, repair."""
