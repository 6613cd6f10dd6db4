"""Keep annotations, what program stored claims, and up to which number sources are closed: then their texts repeat.

Revision: 0007
Follows: 0006
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

SCHEMA = "proofbase"


def upgrade() -> None:
    op.create_table(
        "annotations",
        sa.Column("game", sa.Text(collation="C"), nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("id", sa.Text(collation="C"), nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("body", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("game", "key", "id"),
        schema=SCHEMA,
    )
    op.add_column("games", sa.Column("closed_sources", sa.Integer, nullable=False, server_default="0"), schema=SCHEMA)
    op.add_column("sources", sa.Column("program", sa.Text, nullable=False, server_default=""), schema=SCHEMA)
    op.drop_constraint("sources_text_key", "sources", schema=SCHEMA, type_="unique")
    op.create_index("sources_by_text", "sources", ["text"], schema=SCHEMA)


def downgrade() -> None:
    """Fails where texts of sources repeat: an earlier release cannot keep them."""
    op.drop_index("sources_by_text", "sources", schema=SCHEMA)
    op.create_unique_constraint("sources_text_key", "sources", ["text"], schema=SCHEMA)
    op.drop_column("sources", "program", schema=SCHEMA)
    op.drop_column("games", "closed_sources", schema=SCHEMA)
    op.drop_table("annotations", schema=SCHEMA)
