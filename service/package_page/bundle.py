"""Joins the modules of the page to one file: a browser asks for one script, and not for one after the other."""

from __future__ import annotations

import re
from collections.abc import Mapping
from graphlib import TopologicalSorter

__all__ = ["bundled"]

_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./([^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|class|(?:async )?function\*?) ([A-Za-z_$][\w$]*))", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)


def bundled(modules: Mapping[str, str]) -> str:
    """One module that runs all modules, each in a scope of its own, after those that it imports.

    It exports `modules`: what each of them exports, by its name.

    Args:
        modules: by name. Each imports by `import { ... } from "./NAME";`, and exports by `export` before a
            declaration.

    Raises:
        ValueError: one has an import or an export of another form, or imports what is not there.
    """
    imported = {name: [found[2] for found in _IMPORT.finditer(text)] for name, text in modules.items()}
    parts = ["// The modules of the page, each after those that it needs.\n\nconst modules = {};\n"]
    for name in TopologicalSorter({name: sorted(needed) for name, needed in sorted(imported.items())}).static_order():
        if name not in modules:
            raise ValueError(f"there is no module {name}")
        exported = [found[1] for found in _EXPORT.finditer(modules[name])]
        code = _EXPORT.sub("", _IMPORT.sub(r'const \1 = modules["\2"];', modules[name]))
        if leftover := _LEFT.search(code):
            raise ValueError(f"{name}: {leftover[0]}")
        result = ", ".join(exported)
        parts.append(f'// {name}\nmodules["{name}"] = (() => {{\n{code.rstrip()}\nreturn {{ {result} }};\n}})();\n')
    return "\n".join([*parts, "export { modules };\n"])
