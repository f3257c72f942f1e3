"""A pytest plugin: tests are alone on this machine. No network but the loopback, none of our names inherited."""

from __future__ import annotations

import ipaddress
import os
import sys
from typing import Any

from bot.console._catalogue import platforms
from bot.settings_names import known_names

_NAMES_OF_THIS_MACHINE = frozenset({"", "localhost", "localhost.localdomain"})


class NetworkOff(RuntimeError):
    """A test wanted to leave the machine. No subclass of OSError: nothing may take it for a bad connection."""


def is_near(host: Any) -> bool:
    """Say whether a host is this machine."""
    if host is None:
        return True
    name = (host.decode() if isinstance(host, bytes) else str(host)).partition("%")[0]
    if name in _NAMES_OF_THIS_MACHINE:
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def guard(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse to connect, and to ask for names, beyond this machine; an audit hook of the interpreter."""
    # https://docs.python.org/3/library/audit_events.html
    if event in ("socket.connect", "socket.sendto"):
        address = arguments[-1]
        near = not isinstance(address, tuple) or is_near(address[0])
        host = address[0] if isinstance(address, tuple) else address
    elif event == "socket.getaddrinfo":
        host = arguments[0]
        near = is_near(host)
    else:
        return
    if not near:
        raise NetworkOff(f"a test must not reach {host!r}; start what it needs on 127.0.0.1")


def forget_names() -> None:
    """Take every name that means something to us out of the environment."""
    ours = known_names(platforms().values(), ())
    for name in list(os.environ):
        if name in ours or name.startswith("DECKHAND_"):
            del os.environ[name]


def pytest_configure() -> None:
    forget_names()
    sys.addaudithook(guard)
