"""The command line: words in, exit codes and sentences out."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from bot.console import _checks, call, found
from bot.console._catalogue import platforms
from bot.console._env_file import env_text
from bot.console._ollama import offers
from bot.people import Role
from bot.settings_reader import read_env_file, read_settings
from storage.doctor import Revisions
from storage.opened import connect
from storage.people import People
from tests.support.hand_clock import HandClock
from tests.support.terminal import PaperTerminal

SCRIPTED = {"DECKHAND_MODEL": "scripted", "DECKHAND_PORT": "0"}


class Shell:
    """A folder in which sub-commands are called."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.terminal = PaperTerminal()

    def call(self, *words: str, answers: Sequence[str] = (), environment: Mapping[str, str] = SCRIPTED) -> int:
        self.terminal = PaperTerminal(answers)
        line = ["--folder", str(self.folder), *words]
        return call(line, environment=environment, terminal=self.terminal)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def test_every_sub_command_is_there() -> None:
    assert set(found()) == {"admin", "doctor", "hooks", "init", "migrate", "run", "seats", "sim"}


def test_a_word_that_is_none_is_told_with_those_that_are(shell: Shell, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        shell.call("dance")
    assert caught.value.code == 2
    assert "doctor" in capsys.readouterr().err


def test_an_error_of_ours_is_one_sentence_and_an_exit_code(shell: Shell) -> None:
    assert shell.call("migrate", environment={"DECKHAND__LIMITS__STEP": "1"}) == 1
    assert len(shell.terminal.told) == 1
    assert "did you mean steps?" in shell.terminal.told[0]


# --- seats and hooks ------------------------------------------------------------------------------------


def test_seats_are_a_table_for_people(shell: Shell) -> None:
    assert shell.call("seats") == 0
    lines = shell.terminal.output.splitlines()
    assert lines[0].split() == ["id", "seat", "who", "setting", "rule"]
    assert any(line.startswith("F1 ") and "limits.steps" in line for line in lines)


def test_seats_are_a_list_of_objects_for_programs(shell: Shell) -> None:
    assert shell.call("seats", "--json") == 0
    rows = json.loads(shell.terminal.output)
    ids = [row["id"] for row in rows]
    assert ids == sorted(ids, key=lambda seat: (seat[0], int(seat[1:])))
    assert all(set(row) == {"id", "title", "who", "rule", "setting"} and row["rule"] for row in rows)


def test_hooks_are_shown_from_the_outside_in(shell: Shell) -> None:
    assert shell.call("hooks") == 0
    names = [line.split()[1] for line in shell.terminal.output.splitlines()[1:]]
    assert names.index("pairing") < names.index("empty_reply") < names.index("safety_stop")


# --- init -----------------------------------------------------------------------------------------------


def test_init_asks_and_writes_what_was_said(shell: Shell) -> None:
    answers = ("123:abc", "", "", "", "", "", "", "yes")
    assert shell.call("init", answers=answers) == 0
    settings = read_settings(platforms(), folder=shell.folder, environment={})
    assert settings.adapters["telegram"].environment == {"TELEGRAM_TOKEN": "123:abc"}
    assert settings.access.open is True
    assert stat.S_IMODE((shell.folder / ".env").stat().st_mode) == 0o600


def test_init_does_not_show_secrets_while_they_are_typed(shell: Shell) -> None:
    shell.call("init", answers=("123:abc",))
    shown = [question for question in shell.terminal.asked if question not in shell.terminal.secretly]
    assert not any("TOKEN" in question or "_KEY:" in question for question in shown)
    assert any("TELEGRAM_TOKEN" in question for question in shell.terminal.secretly)


def test_init_asks_no_more_of_a_platform_that_is_not_wanted(shell: Shell) -> None:
    shell.call("init")
    assert not any("TELEGRAM_API_URL" in question for question in shell.terminal.asked)


def test_init_with_yes_asks_nothing(shell: Shell) -> None:
    assert shell.call("init", "--yes") == 0
    assert shell.terminal.asked == []
    assert (shell.folder / ".env").read_text() == env_text(platforms())
    read_settings(platforms(), folder=shell.folder, environment={})


@pytest.mark.parametrize("words", [("init",), ("init", "--yes")])
def test_init_replaces_nothing_without_a_yes(shell: Shell, words: tuple[str, ...]) -> None:
    (shell.folder / ".env").write_text("TELEGRAM_TOKEN=mine\n")
    (shell.folder / "bot.toml").write_text("# mine\n")
    assert shell.call(*words) == 0
    assert (shell.folder / ".env").read_text() == "TELEGRAM_TOKEN=mine\n"
    assert (shell.folder / "bot.toml").read_text() == "# mine\n"


def test_init_replaces_what_it_is_told_to(shell: Shell) -> None:
    (shell.folder / ".env").write_text("TELEGRAM_TOKEN=mine\n")
    shell.call("init", answers=("y",))
    assert "mine" not in (shell.folder / ".env").read_text()


@given(value=st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).map(str.strip))
def test_whatever_is_said_comes_back_out_of_the_file(tmp_path_factory: pytest.TempPathFactory, value: str) -> None:
    path = tmp_path_factory.getbasetemp() / "said.env"
    path.write_text(env_text(platforms(), {"TELEGRAM_TOKEN": value}), encoding="utf-8")
    assert read_env_file(path)["TELEGRAM_TOKEN"] == value


def test_a_key_of_several_lines_comes_back_out_of_the_file(tmp_path: Path) -> None:
    key = "-----BEGIN KEY-----\nab'c\\n\n-----END KEY-----"
    (tmp_path / ".env").write_text(env_text(platforms(), {"TELEGRAM_TOKEN": key}))
    assert read_env_file(tmp_path / ".env")["TELEGRAM_TOKEN"] == key


# --- migrate and admin ----------------------------------------------------------------------------------


def test_migrate_makes_a_database_once(shell: Shell) -> None:
    assert shell.call("migrate") == 0
    first = shell.terminal.output
    assert shell.call("migrate") == 0
    assert (first, shell.terminal.output) == ("the database is up to date now", "the database was up to date")


def test_a_lost_administrator_is_helped_from_the_machine(shell: Shell) -> None:
    assert shell.call("admin", "grant", "telegram", "42", "--name", "Ann") == 0
    assert shell.terminal.output == "Ann is admin now"
    assert shell.call("admin", "grant", "telegram", "42", "--role", "member") == 0

    async def role() -> Role | None:
        database = connect(read_settings({}, folder=shell.folder, environment=SCRIPTED))
        person = await People(database).person("telegram", "42")
        await database.close()
        return None if person is None else person.role

    assert asyncio.run(role()) is Role.MEMBER


def test_a_platform_that_does_not_exist_is_told(shell: Shell) -> None:
    assert shell.call("admin", "grant", "smoke", "42") == 1
    assert "there is no platform 'smoke'" in shell.terminal.told[0]


# --- doctor ---------------------------------------------------------------------------------------------


def test_doctor_finds_everything_well(shell: Shell) -> None:
    shell.call("init", "--yes")
    shell.call("migrate")
    assert shell.call("doctor") == 0, shell.terminal.output
    assert "model scripted answers" in shell.terminal.output
    assert "FAIL" not in shell.terminal.output


def test_doctor_names_the_cure_of_settings_that_cannot_be_read(shell: Shell) -> None:
    (shell.folder / "bot.toml").write_text("[limts]\n")
    assert shell.call("doctor") == 1
    assert "did you mean limits?" in shell.terminal.output


def test_doctor_names_each_cure(shell: Shell) -> None:
    (shell.folder / ".env").write_text("")
    (shell.folder / ".env").chmod(0o644)
    environment = {
        "DATABASE_URL": "postgresql://me:hunter2@127.0.0.1:1/none",
        "DECKHAND_MODEL": "openai/gpt-5",
        "DECKHAND__ADAPTERS__WEB__ENABLED": "no",
    }
    assert shell.call("doctor", environment=environment) == 1
    output = shell.terminal.output
    for cure in ("chmod 600 .env", "set a platform's token", "check DATABASE_URL", "OPENAI_API_KEY"):
        assert cure in output, output
    assert "4 to mend" in output
    assert "hunter2" not in output


def test_doctor_reads_a_database_that_a_running_bot_holds(shell: Shell) -> None:
    shell.call("migrate")

    async def beside() -> int:
        holder = connect(read_settings({}, folder=shell.folder, environment=SCRIPTED))
        try:
            return await asyncio.to_thread(shell.call, "doctor")
        finally:
            await holder.close()

    assert asyncio.run(beside()) == 0, shell.terminal.output


@pytest.mark.parametrize(
    ("stored", "ok", "fix"),
    [(None, True, ""), ("0002", True, ""), ("0001", False, "deckhand migrate"), ("0003", False, "newer program")],
)
def test_a_revision_is_judged_by_what_this_program_wants(stored: str | None, ok: bool, fix: str) -> None:
    check = _checks.judge(Revisions(stored=stored, wanted="0002"))
    assert check.ok is ok
    assert fix in check.fix


def test_a_clock_before_the_release_is_wrong() -> None:
    clock = HandClock()
    assert _checks.clock(clock).ok
    clock.move(-200 * 86_400)
    assert "set the machine's clock" in _checks.clock(clock).fix


# --- what the machine offers ----------------------------------------------------------------------------


@asynccontextmanager
async def an_ollama(body: str) -> AsyncIterator[int]:
    """Serve one answer at the address of the list of models."""

    async def tags(_request: web.Request) -> web.Response:
        return web.Response(text=body, content_type="application/json")

    app = web.Application()
    app.router.add_get("/api/tags", tags)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ('{"models": [{"name": "nomic-embed-text"}, {"name": "qwen3:4b"}]}', ["qwen3:4b"]),
        ('{"models": []}', []),
        ("<html>", []),
        ('{"models": 3}', []),
    ],
)
async def test_an_ollama_tells_its_models(body: str, names: list[str]) -> None:
    async with an_ollama(body) as port:
        assert list(await asyncio.to_thread(offers, port)) == names


def test_where_nobody_answers_there_are_none(unused_tcp_port: int) -> None:
    assert offers(unused_tcp_port) == ()
