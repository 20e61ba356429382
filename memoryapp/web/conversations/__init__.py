"""The screens of conversations and of imports."""
