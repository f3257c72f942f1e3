"""Rigs: how each platform is put on trial, one file a platform."""
