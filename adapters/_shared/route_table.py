"""Route table: which handler a path and a method name, and what the path holds."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

RequestType = TypeVar("RequestType")
ResponseType = TypeVar("ResponseType")

_PLACE = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Route(Generic[RequestType, ResponseType]):
    """One handler and the largest body that it takes."""

    handler: Callable[[RequestType], Awaitable[ResponseType]]
    max_bytes: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Found(Generic[RequestType, ResponseType]):
    """The route of a request, with the pieces of its path by name."""

    route: Route[RequestType, ResponseType]
    pieces: dict[str, str]


@dataclass(frozen=True, kw_only=True, slots=True)
class Missing:
    """No route; where the path is known for other methods, these are they."""

    allowed: tuple[str, ...] = ()


@dataclass(slots=True)
class _Path(Generic[RequestType, ResponseType]):
    pattern: re.Pattern[str]
    by_method: dict[str, Route[RequestType, ResponseType]] = field(default_factory=dict)


class RouteTable(Generic[RequestType, ResponseType]):
    """Routes that may be added at any time, each path and method once."""

    def __init__(self) -> None:
        self._paths: dict[str, _Path[RequestType, ResponseType]] = {}

    def add(self, method: str, path: str, route: Route[RequestType, ResponseType]) -> None:
        known = self._paths.setdefault(path, _Path(pattern=_pattern(path)))
        if method in known.by_method:
            raise ValueError(f"{method} {path} has a handler already")
        known.by_method[method] = route

    def find(self, method: str, path: str) -> Found[RequestType, ResponseType] | Missing:
        """Return the route of a request; paths without places win over those with."""
        allowed: set[str] = set()
        for known in self._candidates(path):
            match = known.pattern.fullmatch(path)
            if match is None:
                continue
            route = known.by_method.get(method)
            if route is not None:
                return Found(route=route, pieces=match.groupdict())
            allowed.update(known.by_method)
        return Missing(allowed=tuple(sorted(allowed)))

    def _candidates(self, path: str) -> list[_Path[RequestType, ResponseType]]:
        exact = self._paths.get(path)
        if exact is not None:
            return [exact]
        return [known for written, known in self._paths.items() if "{" in written]


def _pattern(path: str) -> re.Pattern[str]:
    """Return what matches a path in which `{name}` stands for one piece."""
    pieces: list[str] = []
    end = 0
    for place in _PLACE.finditer(path):
        pieces.append(re.escape(path[end : place.start()]))
        pieces.append(f"(?P<{place[1]}>[^/]+)")
        end = place.end()
    pieces.append(re.escape(path[end:]))
    return re.compile("".join(pieces))
