"""Keep the tokens of a server's clients: names, roles, ends, and the hashes of the secrets.

Revision: 0004
Follows: 0003
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

SCHEMA = "proofbase"


def upgrade() -> None:
    op.create_table(
        "tokens",
        sa.Column("id", sa.Text(collation="C"), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("ends", sa.Double),
        sa.Column("revoked", sa.Double),
        schema=SCHEMA,
    )


def downgrade() -> None:
    op.drop_table("tokens", schema=SCHEMA)
