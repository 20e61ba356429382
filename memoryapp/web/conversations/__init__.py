"""Actions of the `/conversations` screens that concern memories."""
