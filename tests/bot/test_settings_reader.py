"""Settings: every source, every override, and errors that name key, file and cure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import SettingsError
from bot.secrets import new_key
from bot.settings import Settings
from bot.settings_reader import read_env_file, read_settings

NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True, slots=True)
class Declared:
    """An adapter, as far as settings know one."""

    environment: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)


PAPER = Declared(
    environment={"PAPER_TOKEN": "turns it on", "PAPER_URL": "moves it"},
    options={"ink": "black", "sheets": 3, "weight": 1.5, "lined": False, "sizes": ["a4"], "marks": {}},
)
PAGE = Declared(options={"public_url": ""})
ADAPTERS = {"paper": PAPER, "page": PAGE}


class Desk:
    """A folder with files in it, read as the bot would."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, *, env: str = "", toml: str = "") -> None:
        (self.folder / ".env").write_text(env, encoding="utf-8")
        (self.folder / "bot.toml").write_text(toml, encoding="utf-8")

    def read(
        self, environment: Mapping[str, str] = NOTHING, *, ollama: Sequence[str] = (), env: str = "", toml: str = ""
    ) -> Settings:
        self.write(env=env, toml=toml)
        return read_settings(ADAPTERS, folder=self.folder, environment=environment, ollama=lambda: ollama)

    def error(self, environment: Mapping[str, str] = NOTHING, *, env: str = "", toml: str = "") -> str:
        with pytest.raises(SettingsError) as caught:
            self.read(environment, env=env, toml=toml)
        return str(caught.value)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


# --- sources --------------------------------------------------------------------------------------------


def test_without_any_file_there_are_defaults(tmp_path: Path) -> None:
    settings = read_settings(ADAPTERS, folder=tmp_path, environment={})
    assert settings.home == tmp_path / "home"
    assert (settings.database_url, settings.secret_key) == ("", "")
    assert (settings.web.host, settings.web.port) == ("127.0.0.1", 8010)
    assert settings.access.open is False
    assert set(settings.agents) == {"default"}
    assert set(settings.adapters) == {"page"}


def test_the_environment_stands_above_the_file(desk: Desk) -> None:
    env = "DECKHAND_PORT=1\nDECKHAND_HOST=10.0.0.1\n"
    settings = desk.read({"DECKHAND_PORT": "2"}, env=env)
    assert (settings.web.host, settings.web.port) == ("10.0.0.1", 2)


def test_an_empty_value_is_as_good_as_none_and_can_turn_off_what_the_file_says(desk: Desk) -> None:
    assert desk.read({"DECKHAND_PORT": ""}).web.port == 8010
    assert "paper" in desk.read(env="PAPER_TOKEN=x").adapters
    assert "paper" not in desk.read({"PAPER_TOKEN": ""}, env="PAPER_TOKEN=x").adapters


def test_the_process_environment_is_left_alone(desk: Desk) -> None:
    environment = {"DECKHAND_PORT": "2"}
    desk.read(environment, env="PAPER_TOKEN=x")
    assert environment == {"DECKHAND_PORT": "2"}


def test_home_may_be_relative_absolute_or_in_the_persons_own(desk: Desk) -> None:
    assert desk.read({"DECKHAND_HOME": "var/bot"}).home == desk.folder / "var/bot"
    assert desk.read({"DECKHAND_HOME": "/var/lib/bot"}).home == Path("/var/lib/bot")
    assert desk.read({"DECKHAND_HOME": "~/bot"}).home == Path.home() / "bot"


def test_a_file_of_another_system_is_read(desk: Desk) -> None:
    (desk.folder / ".env").write_bytes(b"\xef\xbb\xbfPAPER_TOKEN='a b'\r\nexport PAPER_URL=http://x # there\r\n")
    assert read_env_file(desk.folder / ".env") == {"PAPER_TOKEN": "a b", "PAPER_URL": "http://x"}


def test_a_secret_with_a_dollar_is_not_filled_in(desk: Desk) -> None:
    settings = desk.read({"HOME": "/x"}, env="PAPER_TOKEN=a${HOME}b")
    assert settings.adapters["paper"].environment["PAPER_TOKEN"] == "a${HOME}b"


# --- adapters -------------------------------------------------------------------------------------------


def test_the_first_key_turns_an_adapter_on_and_it_is_given_its_own_keys(desk: Desk) -> None:
    settings = desk.read({"PAPER_TOKEN": " t ", "PAPER_URL": "u", "OTHER": "x"})
    assert settings.adapters["paper"].environment == {"PAPER_TOKEN": "t", "PAPER_URL": "u"}
    assert "paper" not in desk.read({"PAPER_URL": "u"}).adapters


def test_options_have_their_defaults_and_kinds(desk: Desk) -> None:
    toml = '[adapters.paper]\nsheets = 4\nweight = 2\nsizes = ["a5"]\nposts_per_second = 1.5\n'
    options = desk.read({"PAPER_TOKEN": "t"}, toml=toml).adapters["paper"].options
    assert options == {
        **PAPER.options,
        "sheets": 4,
        "weight": 2.0,
        "sizes": ["a5"],
        "posts_per_second": 1.5,
    }


def test_an_adapter_can_be_turned_off(desk: Desk) -> None:
    assert set(desk.read({"PAPER_TOKEN": "t"}, toml="[adapters.page]\nenabled = false").adapters) == {"paper"}


# --- overrides ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("word", "meant"), [("true", True), ("1", True), ("Yes", True), ("off", False), ("0", False)])
def test_every_key_can_be_overridden(desk: Desk, word: str, meant: bool) -> None:
    assert desk.read({"DECKHAND__ACCESS__OPEN": word}, toml="[access]\nopen = false").access.open is meant


def test_overrides_reach_every_kind_of_value(desk: Desk) -> None:
    toml = '[[models]]\nname = "fast-one"\nprovider = "openai"\nmodel = "m"\n[agents.Night-Watch]\nmodel = "fast-one"\n'
    settings = desk.read(
        {
            "PAPER_TOKEN": "t",
            "DECKHAND__LIMITS__USD_PER_DAY": "2.5",
            "DECKHAND__LIMITS__STEPS": "7",
            "DECKHAND__LOG__FORMAT": "json",
            "DECKHAND__ADAPTERS__PAPER__SIZES": "a3, a4",
            "DECKHAND__ADAPTERS__PAPER__MARKS": '{"a": 1}',
            "DECKHAND__MODELS__FAST_ONE__TEMPERATURE": "0.5",
            "DECKHAND__MODELS__FAST_ONE__THINKING__SUPPORT": "optional",
            "DECKHAND__AGENTS__NIGHT_WATCH__TOOLS": '["todo"]',
            "DECKHAND__AGENTS__NEW__INSTRUCTIONS": "be brief",
        },
        env="DECKHAND__LIMITS__ATTEMPTS=2",
        toml=toml,
    )
    assert (settings.limits.usd_per_day, settings.limits.steps, settings.limits.attempts) == (2.5, 7, 2)
    assert settings.log_format == "json"
    options = settings.adapters["paper"].options
    assert (options["sizes"], options["marks"]) == (["a3", "a4"], {"a": 1})
    assert settings.profiles[0].temperature == 0.5
    assert settings.profiles[0].thinking.support == "optional"
    assert settings.agents["Night-Watch"].tools == ("todo",)
    assert settings.agents["new"].instructions == "be brief"


def test_a_limit_can_be_taken_away_again(desk: Desk) -> None:
    toml = "[limits]\nusd_per_day = 5"
    assert desk.read({"DECKHAND__LIMITS__USD_PER_DAY": "none"}, toml=toml).limits.usd_per_day is None


def test_models_can_be_given_as_a_whole(desk: Desk) -> None:
    models = '[{"name": "a", "provider": "scripted", "model": "s"}]'
    settings = desk.read({"DECKHAND__MODELS": models, "DECKHAND__MODELS__A__VISION": "yes"})
    assert [(profile.name, profile.vision) for profile in settings.profiles] == [("a", True)]


# --- errors ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"env": "PAPR_TOKEN=x"}, ["PAPR_TOKEN in .env", "did you mean PAPER_TOKEN?"]),
        ({"env": "ANTROPIC_API_KEY=x"}, ["in .env", "did you mean ANTHROPIC_API_KEY?"]),
        ({"env": "DECKHAND__LIMITS__STEP=3"}, ["DECKHAND__LIMITS__STEP", ".env", "did you mean steps?"]),
        ({"env": "one\ntwo=2"}, ["line 1 of .env", "NAME=value"]),
        ({"toml": "[limts]\nsteps = 1"}, ["[limts] in bot.toml", "did you mean limits?"]),
        ({"toml": "[limits]\nstep = 1"}, ["[limits] step in bot.toml", "did you mean steps?"]),
        ({"toml": '[limits]\nsteps = "many"'}, ["[limits] steps in bot.toml is 'many'", "a whole number"]),
        ({"toml": "[limits]\nsteps = true"}, ["is True", "a whole number"]),
        ({"toml": "[limits]\nsteps = -1"}, ["is -1", "0 or more"]),
        ({"toml": "[limits]\nsteps = 0"}, ["is 0", "1 or more"]),
        ({"toml": "[limits]\ntool_seconds = 0"}, ["is 0", "more than 0"]),
        ({"toml": "[limits]\ntool_seconds = nan"}, ["is nan", "a number"]),
        ({"toml": "limits = 3"}, ["[limits]", "is 3", "a table"]),
        ({"toml": '[access]\nopen = "yes"'}, ["is 'yes'", "true or false"]),
        ({"toml": '[access]\nthreads = "both"'}, ["is 'both'", "one of shared, per_person"]),
        ({"toml": "[adapters.papr]"}, ["[adapters] papr in bot.toml", "did you mean paper?"]),
        ({"toml": "[adapters.paper]\nink = 3"}, ["[adapters.paper] ink in bot.toml is 3", "text in quotes"]),
        ({"toml": "[adapters.paper]\nlink = 3"}, ["[adapters.paper] link", "did you mean ink?"]),
        ({"toml": "[adapters.paper]\nsizes = [1]"}, ["is [1]", "a list of texts"]),
        ({"toml": '[[models]]\nname = "a"\nmodel = "m"'}, ["[[models]] a", "lacks provider"]),
        ({"toml": '[[models]]\nprovider = "a"\nmodel = "m"'}, ["[[models]] number 1", "lacks name"]),
        ({"toml": '[models]\nname = "a"'}, ["[[models]]", "a list of tables"]),
        ({"toml": '[agents.default]\nmodel = "x"'}, ["[agents.default] model", "is 'x'", "local"]),
        ({"toml": "[agents]\ndefault = 3"}, ["[agents.default]", "a table"]),
        ({"toml": "[agents.default]\nname = 3"}, ["[agents.default] name in bot.toml is no setting"]),
        ({"toml": "x = 1\nx = 2\ny ="}, ["bot.toml cannot be read", "line 2"]),
    ],
    ids=lambda value: str(value) if isinstance(value, dict) else "",
)
def test_what_is_wrong_in_a_file_is_named_with_its_cure(desk: Desk, files: dict[str, str], told: list[str]) -> None:
    error = desk.error(env=files.get("env", ""), toml=files.get("toml", ""))
    assert [part for part in told if part not in error] == [], error


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("DECKHAND__LIMITS__STEPS", "many", ["DECKHAND__LIMITS__STEPS in the environment is 'many'", "a whole number"]),
        ("DECKHAND__LIMTS__STEPS", "1", ["[limts]", "DECKHAND__LIMTS__STEPS", "did you mean limits?"]),
        ("DECKHAND__ACCESS__OPEN", "perhaps", ["is 'perhaps'", "true or false"]),
        ("DECKHAND__OPEN", "1", ["DECKHAND__OPEN", "DECKHAND__SECTION__KEY"]),
        ("DECKHAND__ACCESS__", "1", ["DECKHAND__SECTION__KEY"]),
        ("DECKHAND__MODELS__X__VISION", "1", ["no model of [[models]]", "known: none"]),
        ("DECKHAND__MODELS", "{}", ["DECKHAND__MODELS", "a list of tables"]),
        ("DECKHAND__ADAPTERS__PAPER__MARKS", "[", ["a JSON object"]),
        ("DECKHAND__ADAPTERS__PAPER__INKS", "1", ["did you mean ink?"]),
        ("DECKHAND_PORT", "http", ["DECKHAND_PORT in the environment is 'http'"]),
        ("DECKHAND_PORT", "65536", ["DECKHAND_PORT", "0 to 65535"]),
        ("DECKHAND_MODEL", "gpt", ["DECKHAND_MODEL is 'gpt'", "provider/model"]),
    ],
)
def test_what_is_wrong_in_the_environment_is_named(desk: Desk, name: str, value: str, told: list[str]) -> None:
    error = desk.error({name: value})
    assert [part for part in told if part not in error] == [], error


def test_reaching_into_a_value_is_an_error(desk: Desk) -> None:
    said = {"DECKHAND__LIMITS__STEPS__MOST": "1"}
    assert "reaches into steps" in desk.error(said, toml="[limits]\nsteps = 3")


def test_what_is_inherited_and_not_ours_is_no_error(desk: Desk) -> None:
    desk.read({"PAPR_TOKEN": "x", "DECKHAND_UNKNOWN": "x"})


def test_errors_do_not_repeat_secrets(desk: Desk) -> None:
    assert "hunter2" not in desk.error({"DATABASE_URL": "mysql://me:hunter2@host/x"})
    assert "hunter2" not in desk.error({"DECKHAND_SECRET_KEY": "hunter2"})


@pytest.mark.parametrize("url", ["postgresql://u:p@h/n", "postgres://h/n", "sqlite:///other.db"])
def test_databases_that_are_known(desk: Desk, url: str) -> None:
    assert desk.read({"DATABASE_URL": url}).database_url == url


def test_keys_are_a_list_with_the_newest_first(desk: Desk) -> None:
    new, old = new_key(), new_key()
    assert desk.read({"DECKHAND_SECRET_KEY": f"{new}, {old},"}).secret_key == f"{new},{old}"


@given(text=st.text(max_size=60))
def test_whatever_a_file_holds_is_settings_or_an_error_of_ours(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    desk = Desk(tmp_path_factory.getbasetemp())
    for files in ({"env": text}, {"toml": text}, {"env": f"DECKHAND__LIMITS__STEPS={text}"}):
        try:
            desk.read(env=files.get("env", ""), toml=files.get("toml", ""))
        except SettingsError as error:
            assert str(error)


# --- models ---------------------------------------------------------------------------------------------

TWO = """
[[models]]
name = "a"
provider = "openai"
model = "m"
[[models]]
name = "b"
provider = "mistral"
model = "n"
"""


def first(settings: Settings) -> tuple[str, str, str, str]:
    profile = settings.profiles[0]
    return (profile.provider, profile.model, profile.base_url, profile.key_variable)


def test_with_nothing_it_is_the_embedded_model(desk: Desk) -> None:
    settings = desk.read()
    assert first(settings)[0] == "local"
    assert settings.profiles[0].tools is False


def test_an_ollama_that_answers_comes_before_the_embedded_model(desk: Desk) -> None:
    settings = desk.read(ollama=["qwen3:4b", "other"])
    assert first(settings) == ("openai", "qwen3:4b", "http://127.0.0.1:11434/v1", "")


def test_keys_decide_in_order_and_ollama_is_not_asked(desk: Desk) -> None:
    anthropic = {"ANTHROPIC_API_KEY": "k1"}
    assert first(desk.read(anthropic, ollama=["x"]))[0] == "anthropic"
    both = desk.read({**anthropic, "OPENAI_API_KEY": "k2"}, ollama=["x"])
    assert first(both) == ("openai", "gpt-5", "", "")
    assert both.keys == {"ANTHROPIC_API_KEY": "k1", "OPENAI_API_KEY": "k2"}


def test_another_address_is_sent_the_key_only_where_there_is_one(desk: Desk) -> None:
    address = {"OPENAI_BASE_URL": "http://x/v1"}
    assert first(desk.read(address))[2:] == ("http://x/v1", "")
    assert first(desk.read({**address, "OPENAI_API_KEY": "k"}))[2:] == ("http://x/v1", "OPENAI_API_KEY")


@pytest.mark.parametrize(
    ("said", "provider", "model"),
    [
        ("openai/gpt-5", "openai", "gpt-5"),
        ("anthropic/claude-x", "anthropic", "claude-x"),
        ("OpenRouter/meta/llama", "openrouter", "meta/llama"),
        ("ollama/qwen3:4b", "openai", "qwen3:4b"),
        ("local", "local", "local"),
        ("scripted", "scripted", "scripted"),
    ],
)
def test_a_model_can_be_named(desk: Desk, said: str, provider: str, model: str) -> None:
    assert first(desk.read({"DECKHAND_MODEL": said}))[:2] == (provider, model)


def test_profiles_stand_above_what_the_machine_offers(desk: Desk) -> None:
    settings = desk.read({"ANTHROPIC_API_KEY": "k"}, toml=TWO)
    assert [profile.name for profile in settings.profiles] == ["a", "b"]


def test_a_profile_can_be_chosen_or_another_model_put_before_them(desk: Desk) -> None:
    chosen = desk.read({"DECKHAND_MODEL": "b"}, toml=TWO)
    assert [profile.name for profile in chosen.profiles] == ["b", "a"]
    added = desk.read({"DECKHAND_MODEL": "scripted"}, toml=TWO)
    assert [profile.name for profile in added.profiles] == ["scripted", "a", "b"]


def test_a_key_that_a_profile_names_may_lie_in_the_file(desk: Desk) -> None:
    toml = (
        '[[models]]\nname = "a"\nprovider = "openai"\nmodel = "m"\nbase_url = "http://x"\nkey_variable = "TEAM_SECRET"'
    )
    assert desk.read(env="TEAM_SECRET=s", toml=toml).keys == {"TEAM_SECRET": "s"}


def test_two_profiles_of_one_name_are_an_error(desk: Desk) -> None:
    assert "two models named 'a'" in desk.error(toml=TWO.replace('"b"', '"a"'))
