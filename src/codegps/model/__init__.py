"""The nouns. Everything here is frozen, has no I/O and imports nothing above it."""
