"""Whether an Ollama runs on this machine, and what it offers."""

from __future__ import annotations

import http.client
import json
from collections.abc import Sequence

HOST = "127.0.0.1"
PORT = 11434
SECONDS = 0.5
_NO_CHAT = "embed"
"""Part of the names of models that cannot chat."""


def offers(port: int = PORT) -> Sequence[str]:
    """Return the models of a running Ollama, the one used last first; empty where none answers."""
    # https://github.com/ollama/ollama/blob/main/docs/api.md#list-local-models
    connection = http.client.HTTPConnection(HOST, port, timeout=SECONDS)
    try:
        connection.request("GET", "/api/tags")
        found = json.loads(connection.getresponse().read())
        names = [str(model["name"]) for model in found["models"]]
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
        return ()
    finally:
        connection.close()
    return [name for name in names if _NO_CHAT not in name]
