"""The words everyone shares, and the path a message takes."""
