"""Architecture: direction, names and habits, as facts. Each test names the file that breaks a rule."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import agent.hooks
import agent.models
import agent.tools
import bot.console
import bot.steps
import commands
from agent.hook import Hook
from agent.provider import Provider
from agent.tool import Tool
from bot.console._catalogue import platforms
from bot.registry import discover, modules
from bot.subcommand import Subcommand

ROOT = Path(__file__).parent.parent
FOLDERS = ("adapters", "agent", "bot", "commands", "scheduler", "storage")
PLATFORMS = ("slack", "discord", "telegram", "feishu", "lark", "github")
DISTRIBUTION = "deckhand-bot"

SAME_FILES = (
    *("__init__.py", "cards.py", "checklist.toml", "facts.py", "listen.py"),
    *("receive.py", "render.py", "send.py", "texts.py"),
)
"""What every adapter's folder has, under the same names."""

BROAD = {
    "bot/intake.py": 1,
    "bot/attempt.py": 1,
    "bot/control.py": 1,
    "agent/toolbox.py": 1,
}
"""Where any error may be caught, and how often: the boundary of an event, of a run or a control word, and of a tool.
This only ever shrinks."""

LITERAL_ENVIRONMENT = re.compile(r"\bos\.(?:environ|getenv)\b")
READS_ENVIRONMENT = {"bot/settings_reader.py"}
SETS_FOR_ITS_LIBRARY = {"agent/models/litellm.py"}
"""Sets the documented switches of a library before it is imported; reads nothing."""


def sources() -> Iterator[Path]:
    """Return every file of the product."""
    for folder in FOLDERS:
        yield from sorted((ROOT / folder).rglob("*.py"))


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def nodes(path: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(path.read_text()))


def adapter_folders() -> list[Path]:
    return sorted(path for path in (ROOT / "adapters").iterdir() if path.is_dir() and not path.name.startswith("_"))


def test_the_import_contracts_hold() -> None:
    # A process of its own: the linter wants to import the packages by itself.
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def imports_by_name(path: Path) -> bool:
    """Say whether a file imports a module whose name is a value."""
    for node in nodes(path):
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if name in ("import_module", "__import__"):
            return True
    return False


def test_only_the_registry_imports_by_name() -> None:
    assert {short(path) for path in sources() if imports_by_name(path)} == {"bot/registry.py"}


def test_no_platform_is_named_outside_its_folder() -> None:
    name = re.compile("|".join(PLATFORMS), re.IGNORECASE)
    # An address is no mention: documentation of other projects lives at one of the platforms.
    address = re.compile(r"https?://\S+")
    named = [
        f"{short(path)}: {line.strip()}"
        for path in sources()
        if path.relative_to(ROOT).parts[0] != "adapters"
        for line in path.read_text().splitlines()
        if name.search(address.sub("", line))
    ]
    assert named == []


def test_no_platform_is_named_in_the_folder_of_another() -> None:
    for folder in adapter_folders():
        others = re.compile("|".join(rf"\b{name}\b" for name in PLATFORMS if name != folder.name))
        for path in sorted(folder.rglob("*.py")):
            text = re.sub(r"https?://\S+", "", path.read_text())
            assert not others.search(text), f"{short(path)} names another platform"


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_installed_package_hides_a_folder(folder: str) -> None:
    assert set(packages_distributions().get(folder, [])) <= {DISTRIBUTION}


@pytest.mark.parametrize("folder", adapter_folders(), ids=lambda folder: folder.name)
def test_every_adapter_has_the_same_files(folder: Path) -> None:
    assert {name for name in SAME_FILES if not (folder / name).exists()} == set()


@pytest.mark.parametrize("folder", adapter_folders(), ids=lambda folder: folder.name)
def test_every_checklist_answers_the_same_rules(folder: Path) -> None:
    first = tomllib.loads((adapter_folders()[0] / "checklist.toml").read_text())["rules"]
    rules = tomllib.loads((folder / "checklist.toml").read_text())["rules"]
    assert list(rules) == list(first)
    for rule, answer in rules.items():
        exempt = isinstance(answer, dict) and answer["status"] == "exempt" and answer["reason"].strip()
        assert answer == "done" or exempt, f"{rule}: done, or exempt with a reason"


def test_every_adapter_is_named_like_its_folder() -> None:
    assert sorted(platforms()) == [folder.name for folder in adapter_folders()]


@pytest.mark.parametrize(
    "find",
    [
        lambda: commands.found(),
        lambda: discover(agent.hooks, "HOOK", Hook),
        lambda: discover(agent.tools, "TOOL", Tool),
        lambda: discover(agent.models, "MODEL", Provider),
        lambda: discover(bot.console, "SUBCOMMAND", Subcommand),
    ],
    ids=["commands", "hooks", "tools", "models", "sub-commands"],
)
def test_plural_folders_hold_what_they_promise(find: Callable[[], dict[str, object]]) -> None:
    assert find()


def test_every_step_declares_itself() -> None:
    for module in modules(bot.steps):
        assert hasattr(module, "STEP"), f"{module.__name__} must define STEP"


def test_every_folder_that_speaks_to_people_has_its_texts() -> None:
    assert [folder.name for folder in adapter_folders() if not (folder / "texts.py").exists()] == []
    for name in ("agent", "bot", "commands"):
        assert (ROOT / name / "texts.py").exists()


def test_the_environment_is_read_in_one_file() -> None:
    touching = {short(path) for path in sources() if LITERAL_ENVIRONMENT.search(path.read_text())}
    assert touching - SETS_FOR_ITS_LIBRARY == READS_ENVIRONMENT
    for name in SETS_FOR_ITS_LIBRARY:
        lines = [line for line in (ROOT / name).read_text().splitlines() if LITERAL_ENVIRONMENT.search(line)]
        assert all("os.environ.setdefault(" in line for line in lines)


def broad_excepts(path: Path) -> int:
    """Count the handlers of a file that catch any error and go on; one that ends by raising it again does not."""
    return sum(
        isinstance(node, ast.ExceptHandler)
        and (node.type is None or (isinstance(node.type, ast.Name) and node.type.id == "Exception"))
        and not (isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None)
        for node in nodes(path)
    )


def test_any_error_is_caught_at_the_boundaries_only() -> None:
    found = {short(path): count for path in sources() if (count := broad_excepts(path))}
    assert found == BROAD


def test_nothing_of_the_product_imports_the_tests() -> None:
    for path in sources():
        for node in nodes(path):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not any(name.split(".")[0] == "tests" for name in names), short(path)


def test_importing_an_adapter_loads_no_client_library() -> None:
    names = ", ".join(f"adapters.{folder.name}" for folder in adapter_folders())
    libraries = ("telegram", "slack_bolt", "discord", "lark_oapi", "github", "litellm", "openai", "sqlalchemy")
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, {names}; print(*(set({libraries!r}) & set(sys.modules)))"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == []


def test_the_command_line_loads_no_more_than_it_needs() -> None:
    heavy = ("aiohttp", "sqlalchemy", "jinja2", "telegram", "litellm", "cryptography", "alembic")
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, bot.console as c; c.found(); print(*(set({heavy!r}) & set(sys.modules)))"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == []
