"""${message}.

What it does and why; which statements lock or rewrite which table, and for how long.
It declares its own tables: later changes of proofbase.storage.postgres.tables must not change it.

Revision: ${up_revision}
Follows: ${down_revision | comma,n}
Created: ${create_date}
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
${imports if imports else ""}

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = ${repr(branch_labels)}
depends_on = ${repr(depends_on)}


def upgrade() -> None:
    op.execute("SET LOCAL lock_timeout = '5s'")
    op.execute("SET LOCAL statement_timeout = '60s'")
    ${upgrades if upgrades else 'raise NotImplementedError("write the migration")'}


def downgrade() -> None:
    ${downgrades if downgrades else 'raise NotImplementedError("write the way back, or say why there is none")'}
