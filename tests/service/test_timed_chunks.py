"""Parts of work: their sizes follow the time that items take."""

from __future__ import annotations

from proofbase.service.resources.timed_chunks import ChunkSize, timed_chunks


def test_parts_hold_all_items_in_order() -> None:
    parts = list(timed_chunks(iter(range(1_000)), 100))
    assert [item for part in parts for item in part] == list(range(1_000))
    assert all(1 <= len(part) <= 100 for part in parts)
    assert list(timed_chunks(iter(()), 100)) == []


def test_quick_items_come_in_parts_of_the_largest_size() -> None:
    pace = ChunkSize(10_000)
    sizes = []
    for _ in range(10):
        sizes.append(pace.size)
        pace.took(0.0)
    assert sizes == [64, 128, 256, 512, 1024, 2048, 4096, 8192, 10_000, 10_000]


def test_slow_items_come_one_at_a_time() -> None:
    pace = ChunkSize(10_000)
    pace.took(pace.size * 0.02)
    assert pace.size == 1
    pace.took(0.02)
    assert pace.size == 1


def test_a_part_takes_about_ten_milliseconds() -> None:
    pace = ChunkSize(10_000)
    for _ in range(20):
        pace.took(pace.size * 1e-4)
    assert pace.size == 100
