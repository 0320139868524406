"""Components and elementary cycles."""

from __future__ import annotations

import itertools
import random

from codegps.query.cycles import components, elementary_cycles


def test_self_recursion_is_a_cycle_of_one() -> None:
    assert components([[0], []]) == [[0]]
    assert elementary_cycles([[0], []], 50) == ([[0]], False)


def test_a_chain_has_no_cycle() -> None:
    assert components([[1], [2], []]) == []
    assert elementary_cycles([[1], [2], []], 50) == ([], False)


def test_a_cycle_starts_at_its_first_member_and_is_there_once() -> None:
    assert elementary_cycles([[], [2], [3], [1, 0]], 50) == ([[1, 2, 3]], False)


def test_two_cycles_through_one_node() -> None:
    graph = [[1, 2], [0], [0]]
    assert components(graph) == [[0, 1, 2]]
    assert elementary_cycles(graph, 50) == ([[0, 1], [0, 2]], False)


def test_cycles_are_ordered_by_their_first_member() -> None:
    graph = [[3], [2], [1], [0], [4]]
    assert components(graph) == [[0, 3], [1, 2], [4]]
    assert elementary_cycles(graph, 50) == ([[0, 3], [1, 2], [4]], False)


def test_the_limit_cuts_and_says_so() -> None:
    full = [[other for other in range(9) if other != node] for node in range(9)]
    cycles, more = elementary_cycles(full, 50)
    assert (len(cycles), more) == (50, True)
    assert elementary_cycles([[1], [0]], 1) == ([[0, 1]], False)


def test_a_ring_of_ten_thousand_is_no_recursion() -> None:
    ring = [[(node + 1) % 10_000] for node in range(10_000)]
    cycles, more = elementary_cycles(ring, 50)
    assert (len(cycles), len(cycles[0]), more) == (1, 10_000, False)


def test_a_dense_tail_without_a_way_back_does_not_explode() -> None:
    """0 → a ladder of 40 steps with two ways each, then back from the last only: 2**40 ways, at most 50 are walked."""
    graph: list[list[int]] = [[1, 2]]
    for step in range(1, 79, 2):
        graph += [[step + 2, step + 3], [step + 2, step + 3]]
    graph += [[0], [0]]
    cycles, more = elementary_cycles(graph, 50)
    assert (len(cycles), more) == (50, True)
    graph[-1] = graph[-2] = []
    assert elementary_cycles(graph, 50) == ([], False)


def test_small_graphs_agree_with_trying_every_path() -> None:
    for seed in range(300):
        rng = random.Random(seed)
        size = rng.randint(1, 6)
        graph = [sorted(rng.sample(range(size), rng.randint(0, min(3, size)))) for _ in range(size)]
        expected = {
            path
            for length in range(1, size + 1)
            for path in itertools.permutations(range(size), length)
            if path[0] == min(path) and all(b in graph[a] for a, b in itertools.pairwise((*path, path[0])))
        }
        cycles, more = elementary_cycles(graph, 10_000)
        assert not more
        assert sorted(map(tuple, cycles)) == sorted(expected), graph
        assert [cycle[0] for cycle in cycles] == sorted(cycle[0] for cycle in cycles)
        on_cycles = {node for cycle in cycles for node in cycle}
        assert {node for component in components(graph) for node in component} == on_cycles
