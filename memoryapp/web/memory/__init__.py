"""The `/memory` screen: list, panel, editing and export."""
