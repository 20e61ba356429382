"""Takes memories and conversations out: delete, archive, mute, and the undo of these."""
