"""Solutions: every answer is held against the rules, in process and over gRPC."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from services import MakeService, Service

from proofbase.engine.formats.notation import read_position
from proofbase.engine.games import open_game
from proofbase.engine.rules import Game, TicTacToe
from proofbase.service.answers import Line, PositionAnswer, Proof, ProofNode
from proofbase.service.client import Limits, StaleContinuationError
from proofbase.storage import Claim, Evidence, Record, Side, encode_record, search_payload

GAME = "tic-tac-toe"


def values(game: Game[str]) -> dict[bytes, int]:
    """The value of every position, by brute force."""
    found: dict[bytes, int] = {}

    def value(position: str) -> int:
        over = game.terminal(position)
        if over is not None:
            return over
        key = game.key(position)
        if key not in found:
            found[key] = max(-value(game.play(position, move)) for move in game.moves(position))
        return found[key]

    value(game.initial())
    return found


def positions(game: Game[str]) -> Iterator[str]:
    """Every position that can be reached, in every orientation, each once."""
    seen = {game.initial()}
    stack = [game.initial()]
    while stack:
        position = stack.pop()
        yield position
        if game.terminal(position) is None:
            for move in game.moves(position):
                child = game.play(position, move)
                if child not in seen:
                    seen.add(child)
                    stack.append(child)


def test_every_position_of_tic_tac_toe_is_answered_as_the_rules_say(solved: Service) -> None:
    game = TicTacToe()
    right = values(game)
    every = list(positions(game))
    assert len(every) == 5478
    for position in every[:: 17 if solved.client.target != "in process" else 3]:
        answer = solved.client.lookup(GAME, game.text(position))
        over = game.terminal(position)
        expected = right[game.key(position)] if over is None else over
        assert (answer.value.lower, answer.value.upper) == (expected, expected)
        assert answer.value.exact and answer.value.lower_known and answer.value.upper_known
        assert answer.known
        assert answer.key == game.key(position)
        assert answer.terminal is (over is not None)
        assert answer.side == game.side(position)
        if over is None:
            check_moves(game, position, answer, right)
        else:
            assert answer.moves == () and answer.witness is None and answer.rank == 0


def check_moves(game: Game[str], position: str, answer: PositionAnswer, right: dict[bytes, int]) -> None:
    assert sorted(move.number for move in answer.moves) == list(game.moves(position))
    for move in answer.moves:
        child = game.play(position, move.number)
        over = game.terminal(child)
        assert move.known
        assert move.value.lower == move.value.upper == -(right[game.key(child)] if over is None else over)
        assert move.move == game.move_text(position, move.number)
        assert move.position == game.text(child)
        assert move.terminal is (over is not None)
    order = [move.value.lower for move in answer.moves]
    assert order == sorted(order, reverse=True)
    assert order[0] == answer.value.lower
    assert answer.witness == answer.moves[0].move
    for first, second in zip(answer.moves, answer.moves[1:], strict=False):
        if first.value.lower == second.value.lower == 1:
            assert first.rank <= second.rank, "the quickest win comes first"
        if first.value.lower == second.value.lower == -1:
            assert first.rank >= second.rank, "the slowest loss comes first"


def test_the_witness_is_a_move_of_the_orientation_asked_for(solved: Service) -> None:
    # x takes a corner, o an edge: x wins. Four corners, two edges beside each.
    for text in ("12", "14", "32", "36", "74", "78", "96", "98"):
        answer = solved.client.lookup(GAME, text)
        assert answer.value.lower == 1
        claim = next(claim for claim in answer.claims if claim.side == "lower")
        assert claim.witness is not None
        after = solved.client.lookup(GAME, text + claim.witness)
        assert after.value.upper == -1 and after.rank < claim.rank


def test_claims_name_their_sources(solved: Service) -> None:
    answer = solved.client.lookup(GAME)
    assert {source.text for source in answer.sources} == {"the rules"}
    assert all(claim.sources == (answer.sources[0].number,) for claim in answer.claims)


def test_legal_but_not_known_is_an_answer(service: Service) -> None:
    answer = service.client.lookup("connect-four", "4455")
    assert not answer.stored and not answer.known and not answer.terminal
    assert (answer.value.lower, answer.value.upper) == (-1, 1)
    assert not answer.value.lower_known and not answer.value.upper_known
    assert answer.witness is None and answer.claims == ()
    assert [move.move for move in answer.moves] == list("1234567")
    assert not any(move.known for move in answer.moves)
    line = service.client.line("connect-four", "4455")
    assert line.stop == "not_known" and line.steps == ()
    assert service.client.proof("connect-four", "4455").nodes == ()


def test_half_known_moves_are_marked_and_last(service: Service) -> None:
    game = open_game("connect-four")
    root = read_position(game, "12")
    child = game.play(root, 2)
    service.store.put_many(
        game.name,
        [
            # The child is a loss for the opponent of the asker; another child is at least a draw for him.
            (game.key(child), encode_record(Record.of([Claim(Side.UPPER, -1, 8)]))),
            (game.key(game.play(root, 5)), encode_record(Record.of([Claim(Side.LOWER, 0, 3, witness=0)]))),
        ],
        source="a test",
        rules_version=1,
    )
    answer = service.client.lookup("connect-four", "12")
    first, *others = answer.moves
    assert first.move == "3" and first.known and first.value.lower == 1 and first.rank == 9
    assert not any(move.known for move in others)
    half = next(move for move in others if move.move == "6")
    assert half.value.upper == 0 and half.value.upper_known and not half.value.lower_known


def test_the_moves_of_a_leaf_have_the_values_of_its_record(service: Service) -> None:
    game = open_game("connect-four")
    root = read_position(game, "4141")  # 4 in a row of two: x to move
    leaf = Claim(Side.LOWER, 1, 3, witness=3, evidence=Evidence.SEARCH, payload=search_payload(9000))
    service.store.put_many(game.name, [(game.key(root), encode_record(Record.of([leaf])))], source="s", rules_version=1)
    position = game.position(game.key(root))
    answer = service.client.lookup(game.name, game.key(root))
    assert answer.position == game.text(position)
    best = answer.moves[0]
    assert best.number == 3 and best.known and best.value.lower == 1
    assert answer.claims[0].evidence == "search" and answer.claims[0].search_nodes == 9000
    proof = service.client.proof(game.name, game.key(root))
    assert [node.kind for node in proof.nodes] == ["leaf"]


def test_boards_are_drawn_on_request(solved: Service) -> None:
    assert solved.client.lookup(GAME, "15").board is None
    board = solved.client.lookup(GAME, "15", board=True).board
    assert board is not None and board.count("x") == 1 and board.count("o") == 1 and "\n" in board


def test_a_batch_reports_item_by_item(solved: Service) -> None:
    items = solved.client.batch_lookup(GAME, ["1", "zz", "", "11", "x../.../..."])
    assert [item.status for item in items] == ["stored", "invalid", "stored", "invalid", "stored"]
    for item in (items[1], items[3]):
        assert item.reason == "INVALID_POSITION" and item.message and item.value is None
    assert items[0].key == items[4].key and items[0].value == items[4].value
    assert solved.client.batch_lookup("connect-four", ["44"])[0].status == "unknown"
    assert solved.client.batch_lookup(GAME, []) == []


def test_packed_keys_give_the_same_answers_with_and_without_a_copy(solved: Service) -> None:
    game = TicTacToe()
    keys = [key for key, _ in solved.store.scan(GAME)]
    keys += [b"\xff\xff", game.key(game.parse("xxx/oo./..."))]  # no position; a finished game
    from_store = solved.client.batch_lookup_keys(GAME, keys)
    with_copy = from_store
    for _ in range(100):  # the copy is made in the background
        with_copy = solved.client.batch_lookup_packed(GAME, b"".join(keys))
        if solved.client.statistics(GAME).games[0].cached == len(keys) - 2:
            break
    with_copy = solved.client.batch_lookup_packed(GAME, b"".join(keys))
    assert solved.client.statistics(GAME).games[0].cached == len(keys) - 2
    right = values(game)
    for answers in (from_store, with_copy):
        assert len(answers) == len(keys)
        for index, key in enumerate(keys[:-2]):
            value = answers.value(index)
            assert answers.stored(index) and not answers.invalid(index)
            assert value.lower <= right[key] <= value.upper
            assert value.exact
        assert answers.invalid(len(keys) - 2)
        assert not answers.stored(len(keys) - 1) and answers.value(len(keys) - 1).lower == -1
    assert from_store == with_copy


def test_the_copy_follows_writes(solved: Service) -> None:
    game = open_game("connect-four:4x4")
    key = game.key(game.initial())
    record = encode_record(Record.of([Claim(Side.LOWER, 0, 16, witness=0)]))
    assert not solved.client.batch_lookup_packed(game.name, key).stored(0)
    solved.store.put_many(game.name, [(key, record)], source="behind the cache", rules_version=1)
    for _ in range(3):
        answers = solved.client.batch_lookup_packed(game.name, key)
        assert answers.stored(0) and answers.value(0).lower_known


def test_streams_answer_in_order(solved: Service) -> None:
    batches: list[list[str] | list[bytes]] = [["1"], [b"\0\0", b"\0\1"], ["5", "no"], []]
    answers = list(solved.client.stream_lookup(GAME, batches))
    assert len(answers) == 4
    assert answers[0] == solved.client.batch_lookup(GAME, ["1"])
    assert answers[1] == solved.client.batch_lookup_keys(GAME, [b"\0\0", b"\0\1"])
    assert answers[2] == solved.client.batch_lookup(GAME, ["5", "no"])
    assert len(answers[3]) == 0


@pytest.mark.parametrize("text", ["", "1", "12", "moves:15", "5"])
def test_lines_are_best_play_to_the_end(solved: Service, text: str) -> None:
    line = solved.client.line(GAME, text)
    check_line(line, text)
    assert line.stop == "end_of_game" and line.cut is None


def check_line(line: Line, text: str) -> None:
    """Every move is legal and keeps the value."""
    game = TicTacToe()
    right = values(game)
    position = read_position(game, text)
    value = right[game.key(position)]
    assert line.value.lower == line.value.upper == value
    for step in line.steps:
        position = game.play(position, game.parse_move(position, step.move))
        over = game.terminal(position)
        value = -value
        assert (right[game.key(position)] if over is None else over) == value
        assert step.value.lower == step.value.upper == value
        assert step.position == game.text(position)
    assert line.last_position == game.text(position)


def test_a_cut_line_says_so_and_can_be_continued(solved: Service) -> None:
    line = solved.client.line(GAME, "", max_plies=4)
    assert line.stop == "plies" and line.cut is not None and line.cut.reason == "count" and len(line.steps) == 4
    rest = solved.client.line(GAME, line.last_position)
    assert rest.stop == "end_of_game" and len(rest.steps) == 5


@pytest.mark.parametrize("text", ["", "12", "5"])
def test_proofs_follow_the_rules_of_the_fact_model(solved: Service, text: str) -> None:
    proof = solved.client.proof(GAME, text)
    assert proof.cut is None
    check_proof(list(proof.nodes), text)


def check_proof(nodes: list[ProofNode], text: str) -> None:
    game = TicTacToe()
    assert [node.number for node in nodes] == list(range(len(nodes)))
    children: dict[int, list[ProofNode]] = {}
    for node in nodes:
        if node.move is not None:
            children.setdefault(node.parent, []).append(node)
    for node in nodes:
        position = game.parse(node.position)
        below = children.get(node.number, [])
        if node.kind == "terminal":
            assert game.terminal(position) == node.claim.bound and not below
        elif node.kind == "repeated":
            same = nodes[node.same_as]
            assert same.kind == "inner" and same.key == node.key and not below
            assert (same.claim.side, same.claim.bound) == (node.claim.side, node.claim.bound)
        else:
            assert node.kind == "inner"
            moves = {game.parse_move(position, child.move or "") for child in below}
            if node.claim.side == "lower":
                assert {game.move_text(position, move) for move in moves} == {node.claim.witness}
            else:
                assert moves == set(game.moves(position))
            for child in below:
                assert game.parse(child.position) == game.play(position, game.parse_move(position, child.move or ""))
                assert child.claim.side != node.claim.side
                assert child.depth == node.depth + 1
                enough = -child.claim.bound >= node.claim.bound
                assert enough if node.claim.side == "lower" else -child.claim.bound <= node.claim.bound
                assert child.claim.rank < node.claim.rank
    roots = [node for node in nodes if node.move is None]
    assert {game.text(read_position(game, text))} == {node.position for node in roots}


def test_proofs_come_in_pages(solved: Service) -> None:
    whole = solved.client.proof(GAME)
    pages: list[Proof] = [solved.client.proof(GAME, max_nodes=50)]
    while (cut := pages[-1].cut) is not None:
        assert cut.reason == "count" and cut.continuation
        pages.append(solved.client.proof(GAME, max_nodes=50, continuation=cut.continuation))
    assert tuple(node for page in pages for node in page.nodes) == whole.nodes
    assert len(pages) > 2


def test_a_page_can_be_asked_for_again_after_a_restart(make_service: MakeService) -> None:
    from services import fill_tic_tac_toe

    first = make_service()
    fill_tic_tac_toe(first.store)
    page = first.client.proof(GAME, max_nodes=50)
    assert page.cut is not None
    twice = [first.client.proof(GAME, max_nodes=50, continuation=page.cut.continuation) for _ in range(2)]
    assert twice[0].nodes == twice[1].nodes, "the second time the server has to walk there again"


def test_a_continuation_is_refused_when_the_records_have_changed(solved: Service) -> None:
    page = solved.client.proof(GAME, max_nodes=50)
    assert page.cut is not None
    solved.store.quarantine(GAME, [b"\0\0"], "a test")
    with pytest.raises(StaleContinuationError, match="have changed"):
        solved.client.proof(GAME, max_nodes=50, continuation=page.cut.continuation)
    with pytest.raises(StaleContinuationError):
        solved.client.proof(GAME, continuation="nonsense")


def test_a_proof_cut_by_depth_says_so(solved: Service) -> None:
    proof = solved.client.proof(GAME, max_depth=2)
    assert proof.cut is not None and proof.cut.reason == "depth" and proof.cut.continuation is None
    assert {node.depth for node in proof.nodes} == {0, 1, 2}
    assert {node.kind for node in proof.nodes if node.depth == 2} <= {"cut", "terminal", "repeated"}


def test_a_proof_shows_where_the_store_is_not_closed(solved: Service) -> None:
    game = TicTacToe()
    solved.store.quarantine(GAME, [game.key(read_position(game, "5"))], "a test")
    kinds = {node.kind for node in solved.client.proof(GAME).nodes}
    assert "missing" in kinds


def test_statistics_count_what_is_there(solved: Service) -> None:
    statistics = solved.client.statistics()
    assert statistics.census is None
    assert [(entry.game, entry.records) for entry in statistics.games] == [(GAME, 627)]
    assert statistics.store == "memory:" and not statistics.read_only
    census = solved.client.statistics(GAME, census=True).census
    assert census is not None and census.records == 627 and census.cut is None
    right = list(values(TicTacToe()).values())
    assert census.exact == {value: right.count(value) for value in (-1, 0, 1)}
    assert census.open == 0 and census.evidence == {"children": census.claims}
    assert census.highest_rank == 9


def test_a_census_can_be_continued(make_service: MakeService) -> None:
    from services import fill_tic_tac_toe

    service = make_service(limits=Limits(census_records=200))
    fill_tic_tac_toe(service.store)
    counted, continuation, rounds = 0, None, 0
    while True:
        census = service.client.statistics(GAME, census=True, continuation=continuation).census
        assert census is not None
        counted, rounds = counted + census.records, rounds + 1
        if census.cut is None:
            break
        continuation = census.cut.continuation
    assert (counted, rounds) == (627, 4)


def test_the_games_and_the_limits_can_be_asked_for(make_service: MakeService) -> None:
    limits = Limits(batch_size=77, concurrent_jobs=1)
    service = make_service(limits=limits)
    assert service.client.limits() == limits
    games = {game.name: game for game in service.client.games()}
    assert games["connect-four"].key_size == 7 and games["connect-four"].highest_value == 1
    assert games[GAME].initial == ".../.../..." and games[GAME].available


def test_a_stored_game_that_is_not_known_here_is_listed(service: Service) -> None:
    record = encode_record(Record.of([Claim(Side.UPPER, 0, 1)]))
    service.store.put_many("somebodys-game", [(b"k", record)], source="s", rules_version=3)
    entry = service.client.games()[0]
    assert entry.name == "somebodys-game" and not entry.available and entry.records == 1 and entry.rules_version == 3
    assert "somebodys-game" in entry.description


@pytest.mark.parametrize("moves", ["121212", "1122", "2233", "23", "12132"])
def test_lines_go_on_below_records_that_rest_on_small_searches(service: Service, moves: str) -> None:
    """A solution ends where the look-ahead of the search saw the end; the line is played out all the same."""
    game = open_game("connect-four:5x4")
    service.client.solve(game.name, moves)
    line = service.client.line(game.name, moves)
    assert line.stop == "end_of_game"
    position, value = read_position(game, moves), line.value.lower
    for step in line.steps:
        position = game.play(position, game.parse_move(position, step.move))
        value = -value
        assert step.value.lower == step.value.upper == value
    assert game.terminal(position) == value
    assert len(line.steps) <= service.client.lookup(game.name, moves).rank
