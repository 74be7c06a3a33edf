"""The papers' measures and experiments, as functions."""
