"""What a model can do, one tool a file; each offers a `TOOL`."""
