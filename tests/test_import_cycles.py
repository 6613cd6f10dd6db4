"""No module imports itself through others, be it at the top, inside a function or for type checking only.

No folder does so either: what lies in a folder has an order, from the top to the bottom, and imports point downwards.
"""

from __future__ import annotations

import re
from itertools import takewhile
from operator import eq
from pathlib import Path

import pytest
from package_imports import import_statements, modules

PARTS = ("engine", "storage", "service")
NATIVE = Path(__file__).parents[1] / "engine" / "native"
Graph = dict[str, list[str]]


def import_graph(*parts: str) -> Graph:
    """The modules of parts of the package, each with the modules of the same parts that it imports."""
    names = set(modules(*parts))
    graph: Graph = {}
    for module in sorted(names):
        # `from a import b` imports the module a.b if there is one, else something that a defines.
        pairs = import_statements(module)
        imported = {f"{source}.{name}" if f"{source}.{name}" in names else source for source, name in pairs}
        graph[module] = sorted(imported & names)
    return graph


def include_graph() -> Graph:
    """The native sources without their suffixes, each with the headers that it or its header includes."""
    graph: Graph = {}
    for path in NATIVE.rglob("*.[hc]pp"):
        included = re.findall(r'#include "([^"]+)\.hpp"', path.read_text(encoding="utf-8"))
        name = path.relative_to(NATIVE).with_suffix("").as_posix().replace("/", ".")
        graph.setdefault(name, []).extend(header.replace("/", ".") for header in included)
    return graph


def arrows_in_folders(graph: Graph) -> dict[str, Graph]:
    """For each folder what lies directly in it, modules and folders, each with what it imports of the same folder.

    The module of the folder itself, which exports what is in it, is not part of that.
    """
    folders: dict[str, Graph] = {}
    for module, imported in graph.items():
        for name in imported:
            path, target = module.split("."), name.split(".")
            shared = sum(takewhile(bool, map(eq, path, target)))
            if shared < min(len(path), len(target)):
                arrows = folders.setdefault(".".join(path[:shared]), {})
                arrows.setdefault(path[shared], []).append(target[shared])
                arrows.setdefault(target[shared], [])
    return folders


def cycle_in(graph: Graph) -> list[str] | None:
    """Modules that import each other in a circle, the first one again at the end; None when there is no circle."""
    done: set[str] = set()
    for start in graph:
        path: list[str] = []
        waiting = [iter([start])]
        while waiting:
            following = next(waiting[-1], None)
            if following is None:
                waiting.pop()
                if path:
                    done.add(path.pop())
            elif following in path:
                return [*path[path.index(following) :], following]
            elif following not in done:
                path.append(following)
                waiting.append(iter(graph[following]))
    return None


@pytest.mark.parametrize("part", PARTS)
def test_no_module_imports_itself_through_others(part: str) -> None:
    cycle = cycle_in(import_graph(part))
    assert cycle is None, " imports ".join(cycle)


def test_no_folder_imports_itself_through_others() -> None:
    folders = arrows_in_folders(import_graph(*PARTS))
    assert len(folders) > 50
    cycles = {folder: cycle_in(arrows) for folder, arrows in folders.items()}
    assert {folder: cycle for folder, cycle in cycles.items() if cycle is not None} == {}


def test_no_native_folder_includes_itself_through_others() -> None:
    """Two files beside each other may: a class in a header may have its definitions in another one."""
    includes = include_graph()
    files = {tuple(name.rsplit(".", 1)) if "." in name else ("", name) for name in includes}
    folders = arrows_in_folders(includes)
    assert len(folders) > 10
    cycles = {
        folder: cycle_in(
            {
                name: [other for other in others if not {(folder, name), (folder, other)} <= files]
                for name, others in arrows.items()
            }
        )
        for folder, arrows in folders.items()
    }
    assert {folder: cycle for folder, cycle in cycles.items() if cycle is not None} == {}


def test_cycles_are_found() -> None:
    assert cycle_in({"a": ["b"], "b": ["c", "d"], "c": [], "d": ["b"]}) == ["b", "d", "b"]
    assert cycle_in({"a": ["a"]}) == ["a", "a"]
    assert cycle_in({"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}) is None


def test_cycles_of_folders_are_found() -> None:
    graph = {"a.b.one": ["a.c.one"], "a.c.two": ["a.b", "a.c.three"], "a.c": ["a.c.one"], "a.b.two": ["a.b"]}
    assert arrows_in_folders(graph) == {"a": {"b": ["c"], "c": ["b"]}, "a.c": {"two": ["three"], "three": []}}
    assert cycle_in(arrows_in_folders(graph)["a"]) == ["b", "c", "b"]
