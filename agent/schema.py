"""From the signature of a tool to the schema that a model reads, and from its JSON back to values. Pure."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from inspect import Parameter, signature
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from bot.errors import RegistrationError

_SIMPLE: dict[type, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}
_WORDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}


class WrongArguments(ValueError):
    """The arguments do not fit the tool; the sentence says which and why."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Argument:
    """One argument of a tool."""

    name: str
    kind: Any
    """Its annotation."""
    required: bool
    description: str = ""


def arguments_of(function: Any, descriptions: Mapping[str, str]) -> tuple[Argument, ...]:
    """Return a function's arguments after its first one, which is the context."""
    hints = get_type_hints(function)
    found = list(signature(function).parameters.values())[1:]
    unknown = descriptions.keys() - {parameter.name for parameter in found}
    if unknown:
        raise RegistrationError(
            f"the docstring of tool {function.__name__} describes {sorted(unknown)}, which it does not take"
        )
    arguments = tuple(
        Argument(
            name=parameter.name,
            kind=hints[parameter.name],
            required=parameter.default is Parameter.empty,
            description=descriptions.get(parameter.name, ""),
        )
        for parameter in found
    )
    for argument in arguments:
        schema_of(argument.kind)
    return arguments


def parameters(arguments: tuple[Argument, ...]) -> dict[str, Any]:
    """Return the JSON Schema of the arguments."""
    properties = {one.name: schema_of(one.kind) | _described(one.description) for one in arguments}
    return _object(properties, [one.name for one in arguments if one.required])


def schema_of(kind: Any) -> dict[str, Any]:
    """Return the JSON Schema of an annotation; raises `RegistrationError` for one that no tool may have."""
    if kind in _SIMPLE:
        return {"type": _SIMPLE[kind]}
    inner = _optional(kind)
    if inner is not None:
        return schema_of(inner)
    if get_origin(kind) is Literal:
        return {"type": "string", "enum": list(get_args(kind))}
    if get_origin(kind) in (list, tuple):
        return {"type": "array", "items": schema_of(get_args(kind)[0])}
    if is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind)
        required = [field.name for field in fields(kind) if field.default is MISSING]
        return _object({field.name: schema_of(hints[field.name]) for field in fields(kind)}, required)
    raise RegistrationError(f"a tool cannot take {kind!r}")


def read(arguments: tuple[Argument, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values to call with; raises `WrongArguments`."""
    known = {one.name: one for one in arguments}
    if unknown := sorted(given.keys() - known.keys()):
        raise WrongArguments(f"there is no argument {', '.join(unknown)}; known: {', '.join(known) or 'none'}")
    if missing := [one.name for one in arguments if one.required and one.name not in given]:
        raise WrongArguments(f"{', '.join(missing)} is missing")
    return {name: value_of(known[name].kind, value, name) for name, value in given.items()}


def value_of(kind: Any, value: Any, where: str) -> Any:
    """Return the JSON value as what the annotation says; raises `WrongArguments`."""
    inner = _optional(kind)
    if inner is not None:
        return None if value is None else value_of(inner, value, where)
    if kind in _SIMPLE:
        return _simple(kind, value, where)
    if get_origin(kind) is Literal:
        return _one_of(get_args(kind), value, where)
    if get_origin(kind) in (list, tuple):
        return _many(kind, value, where)
    return _record(kind, value, where)


def _simple(kind: type, value: Any, where: str) -> Any:
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return value
    # Models write 3.0 where 3 is meant.
    if kind is int and isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise WrongArguments(f"{where} must be {_WORDS[kind]}")
    return value


def _one_of(options: tuple[Any, ...], value: Any, where: str) -> Any:
    if value not in options:
        raise WrongArguments(f"{where} must be one of {', '.join(options)}")
    return value


def _many(kind: Any, value: Any, where: str) -> Any:
    if not isinstance(value, list):
        raise WrongArguments(f"{where} must be a list")
    inner = get_args(kind)[0]
    read_all = [value_of(inner, one, f"{where}[{n}]") for n, one in enumerate(value)]
    return tuple(read_all) if get_origin(kind) is tuple else read_all


def _record(kind: Any, value: Any, where: str) -> Any:
    if not isinstance(value, dict):
        raise WrongArguments(f"{where} must be an object")
    hints = get_type_hints(kind)
    parts = tuple(
        Argument(name=one.name, kind=hints[one.name], required=one.default is MISSING) for one in fields(kind)
    )
    try:
        return kind(**read(parts, value))
    except WrongArguments as error:
        raise WrongArguments(f"{where}: {error}") from error


def _optional(kind: Any) -> Any:
    """Return what stands beside None in an annotation, None for every other one."""
    if get_origin(kind) not in (Union, types.UnionType):
        return None
    inner = [one for one in get_args(kind) if one is not type(None)]
    return inner[0] if len(inner) == 1 else None


def _object(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _described(text: str) -> dict[str, Any]:
    return {"description": text} if text else {}
