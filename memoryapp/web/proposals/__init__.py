"""The `/memory/proposals` screen: what an assistant proposes to forget."""
