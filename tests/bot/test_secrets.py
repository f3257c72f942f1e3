"""Secrets: hidden with the newest key, shown with every listed one; a key of our own where none is set."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bot.errors import SettingsError, StartError
from bot.secrets import KEY_FILE, Secrets, key_in, new_key


def test_what_is_hidden_can_be_shown_and_not_read() -> None:
    secrets = Secrets([new_key()])
    hidden = secrets.hide("a tökèn")
    assert "tök" not in hidden
    assert secrets.show(hidden) == "a tökèn"


def test_old_keys_still_show_and_new_ones_hide() -> None:
    old, new = new_key(), new_key()
    hidden = Secrets([old]).hide("x")
    both = Secrets([new, old])
    assert both.show(hidden) == "x"
    assert Secrets([new]).show(both.rehide(hidden)) == "x"


def test_without_its_key_a_secret_is_an_error_that_says_so() -> None:
    hidden = Secrets([new_key()]).hide("x")
    other = Secrets([new_key()])
    for use in (other.show, other.rehide):
        with pytest.raises(SettingsError, match="DECKHAND_SECRET_KEY does not list"):
            use(hidden)


def test_what_is_no_key_is_an_error() -> None:
    with pytest.raises(SettingsError, match="no key"):
        Secrets(["short"])


def test_a_home_keeps_one_key_for_its_owner_only(tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"
    key = key_in(home)
    assert key_in(home) == key
    assert stat.S_IMODE((home / KEY_FILE).stat().st_mode) == 0o600
    assert [path.name for path in home.iterdir()] == [KEY_FILE]
    assert Secrets([key]).show(Secrets([key]).hide("x")) == "x"


def test_of_many_who_make_the_key_at_once_all_get_the_same(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(key_in, [tmp_path] * 8))
    assert len(keys) == 1


def test_an_empty_key_file_is_not_used(tmp_path: Path) -> None:
    (tmp_path / KEY_FILE).write_text("\n")
    with pytest.raises(StartError, match="put the key back"):
        key_in(tmp_path)
