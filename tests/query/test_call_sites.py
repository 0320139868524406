"""The view: what is stored, seen as the call-site graph."""

from __future__ import annotations

from codegps.model.calls import CALLS, CONTAINS, HAS_SCOPE, FindCallsOptions, SiteLink
from codegps.model.kinds import Kind
from codegps.query.call_sites import CallSiteView
from codegps.query.find_calls_in_function import find_calls_in_function
from codegps.query.find_containing_function import find_containing_function
from codegps.stores.memory import MemoryStore
from tests.query.sites import build_sites
from tests.stores.graphs import edge, reference


def shop() -> MemoryStore:
    return build_sites(
        {
            "shop.py": [
                ("main", Kind.Function, 1, 12),
                ("load", Kind.Function, 14, 16),
                ("Cart", Kind.Class, 18, 24),
                ("Cart.__init__", Kind.Constructor, 19, 20),
                ("Cart.total", Kind.Method, 22, 24),
                ("main.inner", Kind.Function, 10, 11),
                ("LIMIT", Kind.Constant, 26, 26),
            ],
            "web.py": [("handle", Kind.Function, 1, 4)],
        },
        {
            "shop.py": {
                "": ["print@30:1", "main@31:1"],
                "main": [
                    "cart@2",
                    "Cart@2:12",
                    ["if@3", "cart.total@4:14", ["for@5", "item@5", "load@6:9"]],
                    "open@8:5",
                ],
                "main.inner": ["load@11:9"],
                "load": ["json.loads@15:17"],
                "Cart": [],
                "Cart.__init__": [],
                "Cart.total": ["total@23:16"],
            },
            "web.py": {"": [], "handle": ["main@2:5", "main@3:5"]},
        },
        edges=[
            edge("shop.py:main", "CALLS", "shop.py:Cart.__init__", 2, 12, class_="shop.py:Cart"),
            edge("shop.py:main", "CALLS", "shop.py:Cart.total", 4, 14),
            edge("shop.py:main", "CALLS", "shop.py:load", 6, 9, "inferred", 2, "field"),
            edge("shop.py:main.inner", "CALLS", "shop.py:load", 11, 9),
            edge("shop.py", "CALLS", "shop.py:main", 31, 1),
            edge("web.py:handle", "CALLS", "shop.py:main", 2, 5),
            edge("web.py:handle", "CALLS", "shop.py:main", 3, 5),
            edge("shop.py:load", "CALLS", "shop.py:Cart.total", 16, 12),
        ],
        references=[
            reference("shop.py:load", "CALLS", "loads", 15, 17, "external", "json.loads"),
            reference("shop.py:main", "CALLS", "open", 8, 5, "unknown"),
        ],
    )


class TestTheGraph:
    def test_a_function_has_exactly_one_has_scope_and_no_contains_of_its_own(self) -> None:
        view = CallSiteView(shop())
        assert view.get_outgoing_edges("shop.py:main", None) == [
            SiteLink("shop.py:main", "shop.py:main#body:0", HAS_SCOPE)
        ]
        assert view.get_outgoing_edges("shop.py:main", (CONTAINS,)) == []

    def test_a_scope_contains_calls_variables_and_scopes(self) -> None:
        view = CallSiteView(shop())
        body = [link.dst for link in view.get_outgoing_edges("shop.py:main#body:0", None)]
        nodes = [view.get_node(node) for node in body]
        assert [(n.type, n.name, n.line) for n in nodes if n] == [
            ("CALL", "Cart", 2),
            ("CALL", "open", 8),
            ("VARIABLE", "cart", 2),
            ("SCOPE", "if", 3),
        ]
        inside = [view.get_node(link.dst) for link in view.get_outgoing_edges(body[-1], (CONTAINS,))]
        assert [(n.type, n.object, n.name) for n in inside if n] == [
            ("METHOD_CALL", "cart", "total"),
            ("SCOPE", None, "for"),
        ]

    def test_containers_are_function_class_and_module(self) -> None:
        view = CallSiteView(shop())
        ids = ("shop.py", "shop.py:Cart", "shop.py:Cart.total", "shop.py:LIMIT")
        nodes = [view.get_node(node) for node in ids]
        assert [(n.type, n.name) for n in nodes if n] == [
            ("MODULE", "shop.py"),
            ("CLASS", "Cart"),
            ("FUNCTION", "total"),
            ("VARIABLE", "LIMIT"),
        ]
        assert [len(view.get_outgoing_edges(node, (HAS_SCOPE,))) for node in ids] == [1, 1, 1, 0]

    def test_a_resolved_call_has_a_calls_edge_that_says_how_it_is_known(self) -> None:
        view = CallSiteView(shop())
        calls = [link for call in range(6) for link in view.get_outgoing_edges(f"shop.py#call:{call}", (CALLS,))]
        assert calls == [
            SiteLink("shop.py#call:0", "shop.py:Cart.__init__", CALLS, "resolved"),
            SiteLink("shop.py#call:1", "shop.py:Cart.total", CALLS, "resolved"),
            SiteLink("shop.py#call:2", "shop.py:load", CALLS, "inferred", 2, "field"),
            SiteLink("shop.py#call:4", "shop.py:load", CALLS, "resolved"),
        ]

    def test_every_edge_is_seen_from_both_ends(self) -> None:
        store = shop()
        view = CallSiteView(store)
        queue = [symbol.id for symbol in store.all_symbols()]
        seen: set[str] = set()
        links = 0
        while queue:
            node = queue.pop()
            if node in seen:
                continue
            seen.add(node)
            for link in view.get_outgoing_edges(node, None):
                links += 1
                # A new view, so that nothing is known from the way down.
                back = CallSiteView(store).get_incoming_edges(link.dst, (link.type,))
                assert (link.src, link.type) in [(b.src, b.type) for b in back]
                assert CallSiteView(store).get_node(link.dst) is not None
                queue.append(link.dst)
        assert links == 9 + 16 + 8

    def test_the_call_of_a_class_ends_at_its_constructor(self) -> None:
        (call, *_) = find_calls_in_function(CallSiteView(shop()), "shop.py:main")
        assert call.target is not None
        assert call.target.id == "shop.py:Cart.__init__"

    def test_a_call_that_nobody_wrote_stands_in_its_body(self) -> None:
        calls = find_calls_in_function(CallSiteView(shop()), "shop.py:load")
        assert [(c.name, c.type, c.line, c.column, c.implicit, c.resolved) for c in calls] == [
            ("loads", "METHOD_CALL", 15, 17, False, False),
            ("total", "CALL", 16, 12, True, True),
        ]

    def test_a_call_that_leaves_the_project_names_the_library(self) -> None:
        (call, _) = find_calls_in_function(CallSiteView(shop()), "shop.py:load")
        assert call.external == "json.loads"


class TestTheQueriesOverIt:
    def test_nested_functions_are_not_entered(self) -> None:
        calls = find_calls_in_function(CallSiteView(shop()), "shop.py:main")
        assert [(c.name, c.line) for c in calls] == [("Cart", 2), ("open", 8), ("total", 4), ("load", 6)]

    def test_transitive_follows_every_level(self) -> None:
        calls = find_calls_in_function(CallSiteView(shop()), "web.py:handle", FindCallsOptions(transitive=True))
        assert [(c.name, c.depth) for c in calls] == [
            ("main", 0),
            ("main", 0),
            ("Cart", 1),
            ("open", 1),
            ("total", 1),
            ("load", 1),
            ("total", 2),
            ("loads", 2),
            ("total", 2),
        ]

    def test_the_container_of_each_call(self) -> None:
        view = CallSiteView(shop())
        incoming = [link.src for link in view.get_incoming_edges("shop.py:load", (CALLS,))]
        found = [find_containing_function(view, call) for call in incoming]
        assert [(c.id, c.line) for c in found if c] == [("shop.py:main", 6), ("shop.py:main.inner", 11)]

    def test_top_level_code_is_the_modules(self) -> None:
        view = CallSiteView(shop())
        found = [find_containing_function(view, call) for call in view.calls_by_container("shop.py:main", 9)[0]]
        assert [(c.type, c.name, c.line) for c in found if c] == [("MODULE", "shop.py", 31), ("FUNCTION", "handle", 2)]

    def test_containers_are_cut_and_counted(self) -> None:
        view = CallSiteView(shop())
        assert view.calls_by_container("shop.py:main", 1) == (["shop.py#call:8"], 2)
        assert view.calls_by_container("shop.py:gone", 1) == ([], 0)

    def test_an_implicit_call_has_its_container_too(self) -> None:
        view = CallSiteView(shop())
        found = find_containing_function(view, "shop.py#implicit:16:12:total")
        assert found is not None
        assert (found.id, found.line) == ("shop.py:load", 16)


class TestOddInput:
    def test_ids_that_name_nothing_give_nothing(self) -> None:
        view = CallSiteView(shop())
        for node in (
            "",
            "nowhere.py",
            "shop.py:gone",
            "shop.py#call:99",
            "shop.py#call:-1",
            "shop.py#call:x",
            "#call:0",
        ):
            assert view.get_node(node) is None
            assert view.get_outgoing_edges(node, None) == []
            assert view.get_incoming_edges(node, None) == []
        for node in (
            "shop.py#scope:99",
            "shop.py#local:¹",
            "gone.py#body:0",
            "shop.py#implicit:1:1:x",
            "shop.py#call:9" * 400,
        ):
            assert view.get_node(node) is None
            assert view.get_outgoing_edges(node, None) == []
            assert view.get_incoming_edges(node, None) == []

    def test_a_symbol_may_be_named_like_an_id_of_the_view(self) -> None:
        store = build_sites(
            {"a.js": [("main", Kind.Function, 1, 3), ("t.#call:0", Kind.Function, 5, 7), ("end", Kind.Function, 8, 9)]},
            {"a.js": {"main": ["t.odd@2:3"], "t.#call:0": ["end@6:3"], "end": []}},
            edges=[("a.js:main", "CALLS", "a.js:t.#call:0", 2, 3), ("a.js:t.#call:0", "CALLS", "a.js:end", 6, 3)],
        )
        calls = find_calls_in_function(CallSiteView(store), "a.js:main", FindCallsOptions(transitive=True))
        assert [(c.name, c.target and c.target.id) for c in calls] == [("odd", "a.js:t.#call:0"), ("end", "a.js:end")]

    def test_without_stored_sites_the_edges_still_are_calls(self) -> None:
        store = build_sites(
            {"a.c": [("f", Kind.Function, 1, 3), ("g", Kind.Function, 5, 7)]},
            {},
            edges=[("a.c:f", "CALLS", "a.c:g", 2, 3)],
        )
        view = CallSiteView(store)
        (call,) = find_calls_in_function(view, "a.c:f")
        assert (call.name, call.line, call.target and call.target.id) == ("g", 2, "a.c:g")
        found = find_containing_function(view, view.calls_by_container("a.c:g", 9)[0][0])
        assert found is not None
        assert found.id == "a.c:f"

    def test_one_edge_a_target_with_the_best_proof_first(self) -> None:
        store = build_sites(
            {"a.py": [("f", Kind.Function, 1, 3), ("x", Kind.Function, 5, 7), ("y", Kind.Function, 8, 9)]},
            {"a.py": {"f": ["g@2:3"]}},
            edges=[
                ("a.py:f", "CALLS", "a.py:x", 2, 3, "inferred", 1, "return"),
                ("a.py:f", "CALLS", "a.py:y", 2, 3, "resolved"),
                ("a.py:f", "CALLS", "a.py:x", 2, 3, "dispatch"),
            ],
        )
        (call,) = find_calls_in_function(CallSiteView(store), "a.py:f")
        assert [(t.id, t.proof) for t in call.targets] == [("a.py:y", "resolved"), ("a.py:x", "dispatch")]
        assert call.target == call.targets[0]

    def test_a_body_in_two_pieces_is_one_scope(self) -> None:
        store = build_sites({"a.py": [("f", Kind.Function, 1, 9)]}, {"a.py": {"f": ["g@2:3"]}})
        file = store.sites("a.py")
        assert file is not None
        file.blocks.append(type(file.blocks[0])(0, -1, "body", 5))
        file.calls.append(type(file.calls[0])(1, "h", None, 6, 3))
        view = CallSiteView(store)
        assert [c.name for c in find_calls_in_function(view, "a.py:f")] == ["g", "h"]
        found = find_containing_function(view, "a.py#call:1")
        assert found is not None
        assert found.id == "a.py:f"
