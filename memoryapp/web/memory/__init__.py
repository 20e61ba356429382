"""The `/memory` screen: list, panel, editing, import and export."""
