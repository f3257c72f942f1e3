"""Find what a plural folder offers. The only file that imports by name."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Collection, Iterator
from types import ModuleType
from typing import Protocol, TypeVar

from bot.errors import RegistrationError


class Named(Protocol):
    """Anything that a plural folder holds."""

    @property
    def name(self) -> str: ...


Thing = TypeVar("Thing", bound=Named)


def modules(package: ModuleType, besides: Collection[str] = ()) -> Iterator[ModuleType]:
    """Import and yield the modules of a package, sorted; names with a leading underscore are helpers."""
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda info: info.name):
        if not info.name.startswith("_") and info.name not in besides:
            yield importlib.import_module(f"{package.__name__}.{info.name}")


def discover(
    package: ModuleType, constant: str, kind: type[Thing], *, besides: Collection[str] = ()
) -> dict[str, Thing]:
    """Return what each module of `package` offers under `constant`, by its name; `besides` are its other modules."""
    found: dict[str, Thing] = {}
    homes: dict[str, str] = {}
    for module in modules(package, besides):
        thing = getattr(module, constant, None)
        if not isinstance(thing, kind):
            raise RegistrationError(f"{module.__name__} must define {constant}, a {kind.__name__}")
        if thing.name in found:
            raise RegistrationError(f"{module.__name__} reuses the name {thing.name!r} of {homes[thing.name]}")
        found[thing.name] = thing
        homes[thing.name] = module.__name__
    return found


_NOTHING = object()


def load(path: str, *, missing: object = _NOTHING) -> object:
    """Return the object that `module:name` names; for parts that are imported only when needed.

    `missing` is returned where there is no such module.
    """
    module, _, name = path.partition(":")
    if missing is not _NOTHING and not _exists(module):
        return missing
    return getattr(importlib.import_module(module), name)


def _exists(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False
