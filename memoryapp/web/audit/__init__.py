"""The audit log: of the server for superadmins, of an instance for its managers."""
