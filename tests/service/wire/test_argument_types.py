"""Arguments of the wrong types are refused in the words of the interface, by clients of stores and of servers alike."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest
from services import Service

from proofbase.service.client import Budget, Client, InvalidRequestError
from proofbase.service.client.arguments import argument_types

WRONG: list[tuple[Callable[[Any], Any], str]] = [
    (lambda c: c.lookup(5), r"lookup\(\): game is a text \(str\), not 5"),
    (lambda c: c.lookup("tic-tac-toe", 5), r"lookup\(\): position is a text \(str\) or bytes or None, not 5"),
    (lambda c: c.lookup("tic-tac-toe", colour=1), r"lookup\(\) has no argument 'colour'; it has game, position"),
    (lambda c: c.lookup(), r"lookup\(\) needs game"),
    (lambda c: c.lookup("a", "b", "c", "d"), r"lookup\(\) takes game, position, not 4 arguments"),
    (lambda c: c.lookup("tic-tac-toe", search="1k"), r"search is a whole number \(int\) or None, not '1k'"),
    (lambda c: c.batch_lookup("tic-tac-toe", "12"), r"positions is a list of texts \(str\), not '12'"),
    (lambda c: c.batch_lookup("tic-tac-toe", [1, 2]), "positions is a list of texts .* not a list of int"),
    (lambda c: c.batch_lookup_keys("tic-tac-toe", ["00"]), "keys is a list of bytes, not a list of str"),
    (lambda c: c.batch_lookup_packed("tic-tac-toe", "00"), "packed is bytes, not '00'"),
    (lambda c: c.analyse_game("tic-tac-toe", 12), r"moves is a text \(str\), not 12"),
    (lambda c: c.start_solve("tic-tac-toe", at_least="1"), "at_least is a whole number"),
    (lambda c: c.start_solve("tic-tac-toe", at_least=0.5), "at_least is a whole number"),
    (lambda c: c.solve("tic-tac-toe", at_least=True), "at_least is a whole number"),
    (lambda c: c.start_solve("tic-tac-toe", budget=5), "budget is a Budget or None, not 5"),
    (lambda c: c.start_verification(sample="9"), "sample is a whole number"),
    (lambda c: c.jobs("done"), "states is a list of texts"),
    (lambda c: c.job(7), r"job_id is a text \(str\), not 7"),
    (lambda c: c.proof("tic-tac-toe", side=3), "side is a text: 'lower' or 'upper' or None, not 3"),
    (lambda c: c.export("tic-tac-toe", form=1), "form is a text: 'certificate'"),
    (lambda c: c.export_to(3, "tic-tac-toe"), "path is a path, not 3"),
    (lambda c: Budget(nodes=1.5), "Budget: nodes is a whole number"),  # type: ignore[arg-type]
    (lambda c: Budget(seconds="5"), "Budget: seconds is a number or None, not '5'"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("call", "message"), WRONG, ids=[message[:30] for _, message in WRONG])
def test_wrong_types_are_refused_before_anything_else(
    service: Service, call: Callable[[Any], Any], message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        call(service.client)


def test_right_types_are_not(service: Service) -> None:
    client = service.client
    assert client.lookup(game="tic-tac-toe", position=b"\0\0").known is False
    assert client.batch_lookup("tic-tac-toe", ("1", "2"))[1].status == "unknown"
    assert client.jobs({"done"}, limit=3)[0] == []
    assert client.start_solve("tic-tac-toe", None, budget=Budget(seconds=2)).kind == "solve"


def test_help_shows_every_option_with_its_default_and_its_meaning(service: Service) -> None:
    for name, declared in vars(Client).items():
        if not inspect.isfunction(declared) or name.startswith("_"):
            continue
        method = getattr(service.client, name)
        shown = inspect.signature(method).parameters
        assert not any(entry.kind is entry.VAR_KEYWORD for entry in shown.values()), name
        assert set(shown) == set(argument_types(declared)), name
        for option in set(shown) - set(inspect.signature(declared).parameters):
            assert f"    {option}: " in (inspect.getdoc(method) or ""), (name, option)
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
