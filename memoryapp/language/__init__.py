"""Words of several languages: which they are, and what they tell. Pure."""
