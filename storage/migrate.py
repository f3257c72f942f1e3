"""Migrations: bring a database to the revision that this code expects. Alembic is imported only when it must act."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from bot.errors import StartError

VERSIONS = Path(__file__).parent / "versions"


def head() -> str:
    """Return the newest revision: the versions are named by number."""
    newest = max(path.name for path in VERSIONS.glob("[0-9]*.py"))
    return newest.partition("_")[0]


def current(connection: sa.Connection) -> str | None:
    """Return the revision of a database, None for an empty one."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    revision = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return None if revision is None else str(revision)


def upgrade(connection: sa.Connection) -> bool:
    """Bring a database up to date, in the transaction that the caller commits; say whether anything had to be done."""
    if connection.dialect.name == "postgresql":
        # Replicas that start together migrate one after the other.
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(6405512)"))
    stored, wanted = current(connection), head()
    if stored == wanted:
        return False
    if stored is not None and stored > wanted:
        raise StartError(
            f"the database is at revision {stored}, newer than this program's {wanted}: start the newer program, "
            "or restore the copy that was made before the migration"
        )
    _run(connection)
    return True


def _run(connection: sa.Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    config.set_main_option("version_locations", str(VERSIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
