"""Draw schemas, near-miss edits and values with one seeded source of randomness."""
