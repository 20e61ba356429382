"""The `/memory/palace` screen: messages, verbatim, by subject, conversation and topic."""
