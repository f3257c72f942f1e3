"""Secrets in rows: encrypted with the newest key, readable with every key that is still listed."""

from __future__ import annotations

import base64
import os
import secrets
from collections.abc import Sequence
from pathlib import Path

from bot.errors import SettingsError, StartError
from bot.settings import Settings
from bot.settings_names import SECRET_KEY

KEY_FILE = "secret.key"
KEY_BYTES = 32


def new_key() -> str:
    """Return a fresh key."""
    return base64.urlsafe_b64encode(secrets.token_bytes(KEY_BYTES)).decode()


def keys_of(settings: Settings) -> tuple[str, ...]:
    """Return the keys, the newest first; where none is set, the one in the home folder, made now if need be."""
    if settings.secret_key:
        return tuple(settings.secret_key.split(","))
    return (key_in(settings.home),)


def key_in(home: Path) -> str:
    """Return the key of a home folder; of two processes that make it at once, one does."""
    path = home / KEY_FILE
    home.mkdir(parents=True, exist_ok=True)
    # The key is complete before its name exists, and only its owner could ever read it.
    draft = home / f".{KEY_FILE}.{secrets.token_hex(8)}"
    if not path.exists():
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(new_key())
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    key = path.read_text().strip()
    if not key:
        raise StartError(f"{path} is empty: put the key back that was there, or remove the file for a new one")
    return key


class Secrets:
    """Hides text and shows it again."""

    def __init__(self, keys: Sequence[str]) -> None:
        # Imported here: cryptography costs a tenth of a second, and not every process hides something.
        from cryptography.fernet import Fernet, InvalidToken, MultiFernet

        try:
            self._fernet = MultiFernet([Fernet(key) for key in keys])
        except ValueError as exc:
            raise SettingsError(f"{SECRET_KEY} holds something that is no key") from exc
        self._invalid = InvalidToken

    def hide(self, text: str) -> str:
        """Return the text as only a holder of the key can read it."""
        return self._fernet.encrypt(text.encode()).decode()

    def show(self, hidden: str) -> str:
        """Return what was hidden; raises `SettingsError` when its key is not listed any more."""
        try:
            return self._fernet.decrypt(hidden.encode()).decode()
        except self._invalid as exc:
            raise SettingsError(f"a stored secret was hidden with a key that {SECRET_KEY} does not list") from exc

    def rehide(self, hidden: str) -> str:
        """Return the same secret, hidden with the newest key."""
        try:
            return self._fernet.rotate(hidden.encode()).decode()
        except self._invalid as exc:
            raise SettingsError(f"a stored secret was hidden with a key that {SECRET_KEY} does not list") from exc
