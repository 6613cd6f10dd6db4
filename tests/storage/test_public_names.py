"""The public names of proofbase.storage are exactly those of `__all__`, and they live in no private place."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import proofbase.storage
from proofbase.storage import errors


def test_all_is_exact() -> None:
    visible = {
        name
        for name, value in vars(proofbase.storage).items()
        if not name.startswith("_") and not isinstance(value, ModuleType) and name != "annotations"
    }
    assert visible == set(proofbase.storage.__all__)
    assert list(proofbase.storage.__all__) == sorted(proofbase.storage.__all__, key=_ruff_order)


def _ruff_order(name: str) -> tuple[int, str]:
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def test_every_error_is_public_and_in_the_tree() -> None:
    classes = [value for value in vars(errors).values() if inspect.isclass(value)]
    tree = re.findall(r"(\w+Error)\b(?: \[(\w+)\])?", errors.__doc__ or "")
    assert {name for name, _ in tree} == {error.__name__ for error in classes}
    builtins = {name: builtin for name, builtin in tree if builtin}
    for error in classes:
        assert error.__name__ in proofbase.storage.__all__
        assert issubclass(error, errors.StoreError)
        if error.__name__ in builtins:
            assert builtins[error.__name__] in [base.__name__ for base in error.__mro__]


def test_opening_a_small_store_imports_no_large_library() -> None:
    code = (
        "import sys\nimport proofbase.storage\nproofbase.storage.open_store('memory:')\n"
        "large = ('sqlalchemy', 'psycopg', 'alembic', 'lmdb', 'grpc', 'pytest')\n"
        "print([name for name in large if name in sys.modules])"
    )
    path = str(Path(proofbase.storage.__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": path}
    )
    assert done.stdout == "[]\n"
