"""What tests of awari share: endgames by plain definitions, and small tables."""
