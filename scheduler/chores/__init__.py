"""The chores, one a file."""
