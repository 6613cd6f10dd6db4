"""A question that needs four times the memory of each worker is solved, and every record passes the local check."""

from trials import load_trial

bench = load_trial("bench/managers/bench_task_memory")


def test_a_question_that_needs_four_times_the_memory_of_a_worker() -> None:
    solved = bench.solve_in_parts("connect-four:5x5", 0, workers=2)
    assert solved.status == "proved" and solved.alone == "memory"
    assert solved.largest <= solved.limit == solved.needed // 4 and solved.records > 100
