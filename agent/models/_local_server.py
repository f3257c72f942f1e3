"""The process of the embedded model: `python -I _local_server.py MODEL_FILE CONTEXT`.

It serves the OpenAI API on a free port of this machine, tells the address in one line of JSON, and ends with its
parent, however that ends: the parent writes one line to standard input, the key, and then only holds its end open. It
imports nothing of ours.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TextIO


def main(path: str, context: str) -> int:
    """Serve until standard input ends."""
    # llama.cpp writes to standard output, where the parent expects one line only.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    key = sys.stdin.readline().strip()
    try:
        import xllamacpp
    except ImportError as exc:
        return _tell(out, {"error": str(exc)}, 1)
    params = xllamacpp.CommonParams()
    params.model.path = path
    params.n_ctx = int(context)
    params.n_parallel = 1
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.use_jinja = True
    params.warmup = False
    params.api_keys = [key]
    threads = max(1, (os.cpu_count() or 2) - 1)
    for cpu in (params.cpuparams, params.cpuparams_batch):
        cpu.n_threads = threads
    try:
        server = xllamacpp.Server(params)
    except (RuntimeError, ValueError, OSError) as exc:
        return _tell(out, {"error": str(exc)}, 1)
    _tell(out, {"url": server.listening_address}, 0)
    sys.stdin.read()
    # A normal exit would wait for an answer that is still being written.
    os._exit(0)


def _tell(out: TextIO, line: dict[str, str], code: int) -> int:
    out.write(json.dumps(line) + "\n")
    out.flush()
    return code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
