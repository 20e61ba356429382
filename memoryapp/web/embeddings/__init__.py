"""The part of the settings screen about missing vectors and a change of the model."""
