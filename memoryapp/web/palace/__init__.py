"""The `/conversations/palace` screen: messages, verbatim, by subject, conversation and topic."""
