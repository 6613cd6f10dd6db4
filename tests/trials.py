"""The long trials (trial_*.py in tests/engine and tests/bench) as modules, so that tests run a short piece of them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

TESTS = Path(__file__).parent


def load_trial(name: str) -> ModuleType:
    """A trial, such as `search/trial_df_pn` of the engine or `bench/trial_table_damage`, loaded anew.

    What a test changes in it does not last.
    """
    path = TESTS / f"{name}.py" if name.startswith("bench/") else TESTS / "engine" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
