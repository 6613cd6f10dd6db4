"""Count how often records of a game were moved to the quarantine: servers of one database see it.

Revision: 0006
Follows: 0005
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

SCHEMA = "proofbase"


def upgrade() -> None:
    op.add_column("games", sa.Column("removals", sa.BigInteger, nullable=False, server_default="0"), schema=SCHEMA)


def downgrade() -> None:
    op.drop_column("games", "removals", schema=SCHEMA)
