"""Index jobs by state and kind, and list the processes that run them.

The index lets a page of a listing be read without a look at the other jobs; while it is made, jobs cannot be changed,
for about a second a million of them. The table `servers` tells which servers of the database are alive.

Revision: 0003
Follows: 0002
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

SCHEMA = "proofbase"


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.create_index("jobs_by_state_and_kind", "jobs", ["state", "kind", "created", "id"], schema=SCHEMA)
    op.create_table(
        "servers",
        sa.Column("id", sa.Text(collation="C"), primary_key=True),
        sa.Column("about", sa.JSON, nullable=False),
        sa.Column("renewed", sa.DateTime(timezone=True), nullable=False),
        schema=SCHEMA,
    )


def downgrade() -> None:
    op.drop_table("servers", schema=SCHEMA)
    op.drop_index("jobs_by_state_and_kind", "jobs", schema=SCHEMA)
