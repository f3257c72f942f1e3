"""The scenarios, one file each: an async `measure(bench)` that returns figures."""
