"""Which leaves workers get, and how an answer that is being checked counts meanwhile."""

from __future__ import annotations

from typing import Any

from proofbase.service.jobs.proof_manager.question_tree import Child, Node, QuestionTree, Standing


class Wide:
    """A game in which every position has three moves, and positions are the lines that lead to them."""

    acyclic = True

    def children(self, position: Any, bound: int) -> list[Child]:
        return [Child(move, position + bytes([move]), (position + bytes([move]), 1 - bound), None) for move in range(3)]

    def by_repetition(self, position: Any, bound: int) -> bool:
        return False


class Cyclic(Wide):
    """The same for the tree of a game in which lines may come back: a question has a node on every way to it."""

    acyclic = False


def new_tree(derived: list[Node] | None = None) -> QuestionTree:
    def settle(node: Node, answer: bool) -> bool:
        assert derived is not None, "nothing may be settled"
        derived.append(node)
        return True

    return QuestionTree(Wide(), b"", (b"", 1), settle)


def give(tree: QuestionTree, workers: int) -> list[bytes]:
    """Gives leaves to workers as a manager does. Returns the first move of each."""
    moves = []
    for _ in range(workers):
        path = tree.most_proving_path()
        assert path is not None
        for node in path:
            node.workers += 1
        tree.start(path[-1])
        moves.append(path[1].position)
    return moves


def grown(proof: int, disproof: int) -> QuestionTree:
    """Two plies, with these numbers at the questions of the second one; the first move is a little better."""
    tree = new_tree()
    for number, child in enumerate(tree.expand(tree.root)):
        for leaf in tree.expand(child):
            leaf.proof, leaf.disproof = proof + (number > 0) * proof // 5, disproof
            tree.update([leaf])
    return tree


def test_workers_spread_where_all_children_have_to_be_answered() -> None:
    tree = grown(proof=1_000, disproof=10)
    assert tree.root.proof > tree.root.disproof, "it is as good as disproved"
    assert sorted(give(tree, 3)) == [b"\0", b"\1", b"\2"]


def test_workers_stay_together_where_one_child_is_enough() -> None:
    tree = grown(proof=10, disproof=1_000)
    assert tree.root.proof < tree.root.disproof, "it is as good as proved"
    assert len(set(give(tree, 3))) == 1


def test_an_answer_that_is_being_checked_counts_where_leaves_are_chosen_and_settles_nothing() -> None:
    tree = new_tree()
    first, second, _ = tree.expand(tree.root)
    tree.start(first)
    tree.believe(first, False)
    assert tree.root.believed is True and tree.root.settled is None, "the reply fails: the root would be proved"
    assert tree.most_proving_path() is None and tree.most_proving_path(free=False) is None
    tree.stop(first)
    assert tree.root.is_open and tree.root.free, "the answer was not accepted"
    tree.start(second)
    tree.believe(second, True)
    path = tree.most_proving_path()
    assert tree.root.is_open and path is not None and path[-1] is not second


def test_the_fact_follows_when_the_answer_is_stored() -> None:
    derived: list[Node] = []
    tree = new_tree(derived)
    first = tree.expand(tree.root)[0]
    tree.start(first)
    tree.believe(first, False)
    assert not derived
    tree.stop(first)
    tree.settle(first.question, False)
    assert derived == [tree.root] and tree.root.settled is True


def test_an_answer_to_an_expanded_leaf_outlives_changes_below_it() -> None:
    tree = new_tree()
    first = tree.expand(tree.root)[0]
    tree.start(first)
    below = tree.expand(first)  # other workers were idle
    tree.believe(first, False)
    below[0].proof = 7
    tree.update([below[0]])
    assert first.believed is False and tree.root.believed is True


def test_a_leaf_that_is_settled_on_its_path_only_is_open_whatever_was_believed_of_it() -> None:
    first: Node | None = None
    tree = QuestionTree(Cyclic(), b"", (b"", 1), lambda node, answer: node is not first)
    first, *_ = tree.expand(tree.root)
    reply, *others = tree.expand(first)
    for other in others:
        tree.settle(other.question, True)
    brought, also_brought, _ = tree.expand(reply)
    for leaf in (brought, also_brought):
        tree.start(leaf)
        tree.believe(leaf, False)
    assert reply.believed is True and first.believed is False
    tree.stop(brought)
    tree.settle(brought.question, False)
    assert reply.settled is True, "by a fact, while the other answer was being checked"
    assert first.standing is Standing.ALONE and first.is_open and first.free, (
        "it has to be searched as a question of its own"
    )
    assert tree.root.is_open and tree.root.free
