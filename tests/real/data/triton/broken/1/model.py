"""A model that cannot be loaded."""

raise RuntimeError("boom at load")
