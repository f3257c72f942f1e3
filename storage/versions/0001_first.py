"""The first schema: the durable engine, people, and the page of our own."""

import sqlalchemy as sa
from alembic import op

from storage.types import BigId, Json, UtcTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "alias",
        sa.Column("message_key", sa.String(), nullable=False),
        sa.Column("room_key", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("message_key"),
    )
    op.create_table(
        "code",
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("role", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.BigInteger(), nullable=True),
        sa.Column("expires_at", UtcTime(), nullable=True),
        sa.Column("used_at", UtcTime(), nullable=True),
        sa.PrimaryKeyConstraint("hash"),
    )
    op.create_table(
        "connection",
        sa.Column("platform", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("person_id", sa.BigInteger(), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("platform", "account"),
    )
    with op.batch_alter_table("connection", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_connection_person_id"), ["person_id"], unique=False)

    op.create_table(
        "decision",
        sa.Column("run_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("step_key", sa.String(), nullable=False),
        sa.Column("body", Json, nullable=False),
        sa.PrimaryKeyConstraint("run_id", "step_key"),
    )
    op.create_table(
        "inbox",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("dedupe_key", sa.String(), nullable=False),
        sa.Column("room_key", sa.String(), nullable=False),
        sa.Column("person_id", sa.BigInteger(), nullable=True),
        sa.Column("lane", sa.String(), nullable=False),
        sa.Column("command", sa.String(), nullable=False),
        sa.Column("thread_id", sa.BigInteger(), nullable=True),
        sa.Column("seq", sa.Integer(), nullable=True),
        sa.Column("run_id", sa.BigInteger(), nullable=True),
        sa.Column("message_key", sa.String(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("received_at", UtcTime(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.Column("owner", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("dedupe_key"),
        sa.UniqueConstraint("thread_id", "seq", name="inbox_order"),
    )
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.create_index(
            "inbox_control",
            ["id"],
            unique=False,
            sqlite_where=sa.text("lane = 'control' AND NOT done"),
            postgresql_where=sa.text("lane = 'control' AND NOT done"),
        )
        batch_op.create_index(batch_op.f("ix_inbox_message_key"), ["message_key"], unique=False)

    op.create_table(
        "item",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("thread_id", sa.BigInteger(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("body", Json, nullable=False),
        sa.Column("message_key", sa.String(), nullable=False),
        sa.Column("dropped", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("thread_id", "seq", name="item_order"),
    )
    with op.batch_alter_table("item", schema=None) as batch_op:
        batch_op.create_index("item_run", ["run_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_item_message_key"), ["message_key"], unique=False)

    op.create_table(
        "listener",
        sa.Column("platform", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("fence", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("platform", "account"),
    )
    op.create_table(
        "mark",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "outbox",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("idem_key", sa.String(), nullable=False),
        sa.Column("room_key", sa.String(), nullable=False),
        sa.Column("run_id", sa.BigInteger(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("anchor", sa.String(), nullable=False),
        sa.Column("body", Json, nullable=True),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("next_at", UtcTime(), nullable=True),
        sa.Column("platform_message_id", sa.String(), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("error", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("idem_key"),
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index("outbox_run", ["run_id"], unique=False)
        batch_op.create_index(
            "outbox_waiting",
            ["room_key", "id"],
            unique=False,
            sqlite_where=sa.text("status IN ('open', 'pending')"),
            postgresql_where=sa.text("status IN ('open', 'pending')"),
        )

    op.create_table(
        "page_conversation",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("change", sa.BigInteger(), nullable=False),
        sa.Column("changed_at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("page_conversation", schema=None) as batch_op:
        batch_op.create_index("page_conversation_recent", ["account", "changed_at"], unique=False)

    op.create_table(
        "page_file",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("media_type", sa.String(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.Column("attached", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("page_file", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_page_file_at"), ["at"], unique=False)

    op.create_table(
        "page_message",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("conversation", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("side", sa.String(), nullable=False),
        sa.Column("body", Json, nullable=False),
        sa.Column("change", sa.BigInteger(), nullable=False),
        sa.Column("removed", sa.Boolean(), nullable=False),
        sa.Column("waiting", sa.Boolean(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("conversation", "key", name="page_message_key"),
    )
    with op.batch_alter_table("page_message", schema=None) as batch_op:
        batch_op.create_index("page_message_change", ["conversation", "change"], unique=False)
        batch_op.create_index("page_message_order", ["conversation", "id"], unique=False)
        batch_op.create_index(
            "page_message_waiting",
            ["conversation", "id"],
            unique=False,
            sqlite_where=sa.text("waiting"),
            postgresql_where=sa.text("waiting"),
        )

    op.create_table(
        "page_session",
        sa.Column("token_hash", sa.String(), nullable=False),
        sa.Column("account", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("expires_at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("token_hash"),
    )
    with op.batch_alter_table("page_session", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_page_session_expires_at"), ["expires_at"], unique=False)

    op.create_table(
        "person",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("role", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "room",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("fence", sa.BigInteger(), nullable=False),
        sa.Column("joined", sa.Boolean(), nullable=False),
        sa.Column("direct", sa.Boolean(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("taken_from", sa.String(), nullable=True),
        sa.Column("moved_to", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "run",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("thread_id", sa.BigInteger(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("requester_id", sa.BigInteger(), nullable=False),
        sa.Column("room_key", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("fence", sa.BigInteger(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("available_at", UtcTime(), nullable=False),
        sa.Column("command", sa.String(), nullable=False),
        sa.Column("group_key", sa.String(), nullable=False),
        sa.Column("cancel_requested", sa.Boolean(), nullable=False),
        sa.Column("outcome", sa.String(), nullable=False),
        sa.Column("stop_reason", sa.String(), nullable=False),
        sa.Column("error", sa.String(), nullable=False),
        sa.Column("code_version", sa.String(), nullable=False),
        sa.Column("created_at", UtcTime(), nullable=False),
        sa.Column("started_at", UtcTime(), nullable=True),
        sa.Column("ended_at", UtcTime(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("thread_id", "seq", name="run_order"),
    )
    with op.batch_alter_table("run", schema=None) as batch_op:
        batch_op.create_index(
            "run_one_at_a_time",
            ["thread_id"],
            unique=True,
            sqlite_where=sa.text("status = 'running'"),
            postgresql_where=sa.text("status = 'running'"),
        )
        batch_op.create_index(
            "run_waiting",
            ["thread_id", "seq"],
            unique=False,
            sqlite_where=sa.text("status IN ('queued', 'running')"),
            postgresql_where=sa.text("status IN ('queued', 'running')"),
        )

    op.create_table(
        "run_step",
        sa.Column("run_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("step_key", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("idem_key", sa.String(), nullable=False),
        sa.Column("output", Json, nullable=True),
        sa.PrimaryKeyConstraint("run_id", "step_key"),
    )
    op.create_table(
        "thread",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("next_seq", sa.Integer(), nullable=False),
        sa.Column("next_item", sa.Integer(), nullable=False),
        sa.Column("pending", sa.Integer(), nullable=False),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("fence", sa.BigInteger(), nullable=False),
        sa.Column("ready_at", UtcTime(), nullable=False),
        sa.Column("model_pin", sa.String(), nullable=False),
        sa.Column("agent", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("thread", schema=None) as batch_op:
        batch_op.create_index(
            "thread_ready",
            ["ready_at"],
            unique=False,
            sqlite_where=sa.text("pending > 0"),
            postgresql_where=sa.text("pending > 0"),
        )

    op.create_table(
        "topic",
        sa.Column("room_key", sa.String(), nullable=False),
        sa.Column("person_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("thread_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("room_key", "person_id"),
    )
    with op.batch_alter_table("topic", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_topic_thread_id"), ["thread_id"], unique=False)

    op.create_table(
        "usage",
        sa.Column("id", BigId, autoincrement=True, nullable=False),
        sa.Column("run_id", sa.BigInteger(), nullable=False),
        sa.Column("person_id", sa.BigInteger(), nullable=False),
        sa.Column("room_key", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("tokens_in", sa.Integer(), nullable=False),
        sa.Column("tokens_out", sa.Integer(), nullable=False),
        sa.Column("tokens_cached", sa.Integer(), nullable=False),
        sa.Column("cost_usd", sa.Float(), nullable=False),
        sa.Column("at", UtcTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("usage", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_usage_at"), ["at"], unique=False)

    op.create_table(
        "worker",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("lease_until", UtcTime(), nullable=True),
        sa.Column("draining", sa.Boolean(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )


def downgrade() -> None:
    op.drop_table("worker")
    with op.batch_alter_table("usage", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_usage_at"))

    op.drop_table("usage")
    with op.batch_alter_table("topic", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_topic_thread_id"))

    op.drop_table("topic")
    with op.batch_alter_table("thread", schema=None) as batch_op:
        batch_op.drop_index(
            "thread_ready", sqlite_where=sa.text("pending > 0"), postgresql_where=sa.text("pending > 0")
        )

    op.drop_table("thread")
    op.drop_table("run_step")
    with op.batch_alter_table("run", schema=None) as batch_op:
        batch_op.drop_index(
            "run_waiting",
            sqlite_where=sa.text("status IN ('queued', 'running')"),
            postgresql_where=sa.text("status IN ('queued', 'running')"),
        )
        batch_op.drop_index(
            "run_one_at_a_time",
            sqlite_where=sa.text("status = 'running'"),
            postgresql_where=sa.text("status = 'running'"),
        )

    op.drop_table("run")
    op.drop_table("room")
    op.drop_table("person")
    with op.batch_alter_table("page_session", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_page_session_expires_at"))

    op.drop_table("page_session")
    with op.batch_alter_table("page_message", schema=None) as batch_op:
        batch_op.drop_index(
            "page_message_waiting", sqlite_where=sa.text("waiting"), postgresql_where=sa.text("waiting")
        )
        batch_op.drop_index("page_message_order")
        batch_op.drop_index("page_message_change")

    op.drop_table("page_message")
    with op.batch_alter_table("page_file", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_page_file_at"))

    op.drop_table("page_file")
    with op.batch_alter_table("page_conversation", schema=None) as batch_op:
        batch_op.drop_index("page_conversation_recent")

    op.drop_table("page_conversation")
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.drop_index(
            "outbox_waiting",
            sqlite_where=sa.text("status IN ('open', 'pending')"),
            postgresql_where=sa.text("status IN ('open', 'pending')"),
        )
        batch_op.drop_index("outbox_run")

    op.drop_table("outbox")
    op.drop_table("mark")
    op.drop_table("listener")
    with op.batch_alter_table("item", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_item_message_key"))

    op.drop_table("item")
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_inbox_message_key"))
        batch_op.drop_index(
            "inbox_control",
            sqlite_where=sa.text("lane = 'control' AND NOT done"),
            postgresql_where=sa.text("lane = 'control' AND NOT done"),
        )

    op.drop_table("inbox")
    op.drop_table("decision")
    with op.batch_alter_table("connection", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_connection_person_id"))

    op.drop_table("connection")
    op.drop_table("code")
    op.drop_table("alias")
