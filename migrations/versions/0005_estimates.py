"""Keep estimates of open questions, and which job manages a question.

Revision: 0005
Follows: 0004
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

SCHEMA = "proofbase"


def upgrade() -> None:
    op.create_table(
        "estimates",
        sa.Column("game", sa.Integer, sa.ForeignKey(f"{SCHEMA}.games.number"), nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("bound", sa.Integer, nullable=False),
        sa.Column("proof", sa.BigInteger, nullable=False),
        sa.Column("disproof", sa.BigInteger, nullable=False),
        sa.Column("work", sa.BigInteger, nullable=False),
        sa.Column("updated", sa.Double, nullable=False),
        sa.Column("algorithm", sa.Text, nullable=False),
        sa.Column("job", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game", "key", "bound"),
        schema=SCHEMA,
    )
    op.create_index("estimates_by_work", "estimates", ["work", "updated"], schema=SCHEMA)
    op.create_table(
        "question_holders",
        sa.Column("game", sa.Integer, sa.ForeignKey(f"{SCHEMA}.games.number"), nullable=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.Column("bound", sa.Integer, nullable=False),
        sa.Column("job", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game", "key", "bound"),
        schema=SCHEMA,
    )


def downgrade() -> None:
    op.drop_table("question_holders", schema=SCHEMA)
    op.drop_index("estimates_by_work", "estimates", schema=SCHEMA)
    op.drop_table("estimates", schema=SCHEMA)
