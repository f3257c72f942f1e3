"""The terminal: results to standard output, everything else to standard error."""

from __future__ import annotations

import getpass
import sys


class StandardTerminal:
    """The streams of the process."""

    def say(self, text: str) -> None:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()

    def tell(self, text: str) -> None:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()

    def ask(self, question: str, *, secret: bool = False) -> str:
        prompt = f"{question} "
        try:
            if secret and sys.stdin.isatty():
                return getpass.getpass(prompt, stream=sys.stderr).strip()
            sys.stderr.write(prompt)
            sys.stderr.flush()
            return input().strip()
        except EOFError:
            return ""
