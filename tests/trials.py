"""The long trials (tests/*/trial_*.py) as modules, so that tests run a short piece of them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

FOLDER = Path(__file__).with_name("engine")


def load_trial(name: str) -> ModuleType:
    """The trial of this name, loaded anew: what a test changes in it does not last."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module
