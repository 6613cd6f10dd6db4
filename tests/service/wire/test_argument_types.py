"""The arguments of the client's methods: each method has all of them by name, with their defaults."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from services import Service

from proofbase.service.client import Budget, Client, InvalidRequestError


@pytest.mark.parametrize(
    ("arguments", "named"), [((), {}), (("tic-tac-toe",), {"colour": 1}), (("a", "b", "c"), {})], ids=str
)
def test_arguments_that_a_method_does_not_have_are_refused(
    service: Service, arguments: tuple[str, ...], named: dict[str, Any]
) -> None:
    with pytest.raises(TypeError, match="argument"):
        service.client.lookup(*arguments, **named)


@pytest.mark.parametrize("limits", [{"nodes": 1.5}, {"seconds": "5"}], ids=str)
def test_a_budget_has_numbers(limits: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=r"Budget: .* is a .*number"):
        Budget(**limits)


def test_arguments_go_by_position_and_by_name(service: Service) -> None:
    client = service.client
    assert client.lookup(game="tic-tac-toe", position=b"\0\0").known is False
    assert client.batch_lookup("tic-tac-toe", ("1", "2"))[1].status == "unknown"
    assert client.jobs({"done"}, limit=3)[0] == []
    assert client.start_solve("tic-tac-toe", None, budget=Budget(seconds=2)).kind == "solve"


def test_help_shows_every_option_with_its_default(service: Service) -> None:
    for name, declared in inspect.getmembers(Client, inspect.isfunction):
        if not name.startswith("_"):
            shown = inspect.signature(getattr(service.client, name))
            assert [*shown.parameters] == [*inspect.signature(declared).parameters][1:], name
            assert not any(entry.kind is entry.VAR_KEYWORD for entry in shown.parameters.values()), name
    assert inspect.signature(service.client.solve).parameters["algorithm"].default == "auto"


def test_the_shortest_win_is_an_option_of_solve(service: Service) -> None:
    client: Any = service.client
    found = client.solve("tic-tac-toe", "moves:5,2", shortest=True)
    assert (found.plies, found.no_win_within) == (5, 3), "wins are made by the own move: four plies are none"
    assert client.solve("tic-tac-toe", "moves:5,2", shortest=True, most_plies=3).reason == "plies"
    with pytest.raises(InvalidRequestError, match="leave out at_least"):
        client.solve("tic-tac-toe", shortest=True, at_least=1)
    with pytest.raises(InvalidRequestError, match="goes with shortest"):
        client.solve("tic-tac-toe", most_plies=3)
