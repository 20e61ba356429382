"""The `/memory/people` screens: the end users of an instance, and the file of each."""
