"""No module imports itself through others, be it at the top, inside a function or for type checking only."""

from __future__ import annotations

import pytest
from package_imports import import_statements, modules

Graph = dict[str, list[str]]


def import_graph(part: str) -> Graph:
    """The modules of a part of the package, each with the modules of the same part that it imports."""
    names = set(modules(part))
    graph: Graph = {}
    for module in sorted(names):
        # `from a import b` imports the module a.b if there is one, else something that a defines.
        pairs = import_statements(module)
        imported = {f"{source}.{name}" if f"{source}.{name}" in names else source for source, name in pairs}
        graph[module] = sorted(imported & names)
    return graph


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


@pytest.mark.parametrize("part", ["engine", "storage", "service"])
def test_no_module_imports_itself_through_others(part: str) -> None:
    cycle = cycle_in(import_graph(part))
    assert cycle is None, " imports ".join(cycle)


def test_cycles_are_found() -> None:
    assert cycle_in({"a": ["b"], "b": ["c", "d"], "c": [], "d": ["b"]}) == ["b", "d", "b"]
    assert cycle_in({"a": ["a"]}) == ["a", "a"]
    assert cycle_in({"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}) is None
