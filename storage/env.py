"""Alembic's entry: run the migrations on the connection that `storage.migrate` hands over."""

from alembic import context
from sqlmodel import SQLModel

import storage.page_tables
import storage.tables  # noqa: F401  (the tables register themselves)

context.configure(
    connection=context.config.attributes["connection"], target_metadata=SQLModel.metadata, render_as_batch=True
)
with context.begin_transaction():
    context.run_migrations()
