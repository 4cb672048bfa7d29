"""The games that are shipped: a folder each."""
