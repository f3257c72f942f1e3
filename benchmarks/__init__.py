"""Benchmarks: the whole bot beside a bare one, with the same stub in the same minutes."""
