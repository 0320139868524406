"""A second implementation of the graph text, straight from its rules and as slow as it likes.

Takes every row of a graph at once; shares nothing with the first but the nouns. Tests compare the two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from codegps.model.graph import Edge, Symbol
from codegps.model.kinds import EdgeKind, Kind, Proof, Via

Arrow = tuple[str, int, int]
"""Kind name, source, target."""

DRAWN = {"CALLS", "REFERENCES", "EXTENDS", "IMPLEMENTS", "INCLUDES"}


class Oracle:
    """All answers about one graph."""

    def __init__(self, symbols: Mapping[int, Symbol], edges: Sequence[Edge], sources: Mapping[str, str]) -> None:
        self.symbols = symbols
        self.rows = edges
        self.sources = sources

    # --- the drawn graph ---

    def arrows(self, flows: bool = False, types_of: Sequence[int] = ()) -> dict[Arrow, list[tuple[int, int]]]:
        """Every drawn edge with its places."""
        found: dict[Arrow, list[tuple[int, int]]] = {}
        for row in self.rows:
            kind = row.kind.name
            if kind == "USES_TYPE" and row.drawn_target in types_of:
                kind = "REFERENCES"
            if kind not in DRAWN:
                continue
            travelled = row.proof is Proof.inferred and row.via in (Via.parameter, Via.element)
            if row.kind is EdgeKind.CALLS and travelled and not flows:
                continue
            inner = self.symbols[row.target]
            folded = row.drawn_source == row.drawn_target and row.target != row.drawn_target
            if folded and inner.kind is not Kind.Constructor:
                continue
            found.setdefault((kind, row.drawn_source, row.drawn_target), []).append((row.line, row.column))
        return {arrow: sorted(places) for arrow, places in found.items()}

    def sorted_arrows(self, arrows: Mapping[Arrow, list[tuple[int, int]]]) -> list[Arrow]:
        def key(arrow: Arrow) -> tuple[object, ...]:
            kind, source, target = arrow
            return (kind, *self.place(source), arrows[arrow][0], *self.place(target))

        return sorted(arrows, key=key)

    def place(self, key: int) -> tuple[str, int, int]:
        symbol = self.symbols[key]
        return (symbol.file, symbol.start_line, symbol.start_column)

    # --- questions ---

    def reach(self, asked: list[int], forward: bool, max_depth: int, max_nodes: int) -> str:
        types = [] if forward else [k for k in asked if self.symbols[k].kind in (Kind.Interface, Kind.TypeAlias)]
        arrows = self.arrows(types_of=types)
        order = self.sorted_arrows(arrows)

        def near(arrow: Arrow) -> int:
            return arrow[1] if forward else arrow[2]

        def far(arrow: Arrow) -> int:
            return arrow[2] if forward else arrow[1]

        distance = dict.fromkeys(asked, 0)
        found: list[int] = []
        for depth in range(max_depth):
            for arrow in order:
                if distance.get(near(arrow)) == depth and far(arrow) not in distance:
                    distance[far(arrow)] = depth + 1
                    found.append(far(arrow))
        inside = [a for a in order if distance.get(near(a), max_depth) < max_depth]
        if not inside:
            return "No dependencies found." if forward else "No dependents found."
        cut = len(found) > max_nodes
        found = found[:max_nodes]
        kept = {*asked, *found}
        inside = [a for a in inside if a[1] in kept and a[2] in kept]
        assert len(inside) <= 200 or not cut, "the oracle does not choose among more than 200 edges"
        return self.text(inside, arrows, asked, max_nodes if cut else 0)

    def path(self, first: list[int], last: list[int]) -> str:
        for flows in (False, True):
            arrows = self.arrows(flows)
            order = self.sorted_arrows(arrows)
            for starts, ends in ((first, last), (last, first)):
                best = self.first_path(order, starts, ends)
                if best:
                    return self.text(best, arrows, [*first, *last], 0)
        return "No path found."

    def first_path(self, order: list[Arrow], starts: list[int], ends: list[int]) -> list[Arrow]:
        """All simple walks of growing length, in edge order; the first that ends right."""
        walks: list[list[Arrow]] = [[arrow] for arrow in order if arrow[1] in starts]
        seen = set(starts)
        while walks:
            for walk in walks:
                if walk[-1][2] in ends:
                    return walk
            reached = {walk[-1][2] for walk in walks}
            longer = [
                [*walk, arrow]
                for walk in walks
                for arrow in order
                if arrow[1] == walk[-1][2] and walk[-1][2] not in seen and arrow[2] not in seen | reached
            ]
            # Of walks that end in one symbol the first will win whatever follows.
            first_to: dict[int, list[Arrow]] = {}
            for walk in longer:
                first_to.setdefault(walk[-1][2], walk)
            walks = list(first_to.values())
            seen |= reached
        return []

    # --- text ---

    def text(
        self, edges: list[Arrow], places: Mapping[Arrow, list[tuple[int, int]]], asked: list[int], cut: int
    ) -> str:
        lines = self.chains(edges)
        mentioned: list[int] = []
        for line in lines:
            for key in [line[0][1], *(arrow[2] for arrow in line)]:
                if key not in mentioned:
                    mentioned.append(key)
        label: dict[int, str] = {}
        for key in mentioned:
            same = [other for other in mentioned if self.name(other) == self.name(key)]
            label[key] = self.name(key) if len(same) == 1 else f"{self.name(key)}#{same.index(key) + 1}"
        out = "## Graph\n"
        for line in lines:
            out += "\n" + label[line[0][1]]
            for kind, _, target in line:
                out += " --" + kind + "--> " + label[target]
        nodes = [key for key in mentioned if key not in asked]
        if not nodes:
            return out
        out += "\n\n## Nodes\n"
        for key in nodes:
            symbol = self.symbols[key]
            out += f"\n{label[key]}:\n  file: {symbol.file}\n"
            out += f"  offset: {symbol.start_line}, limit: {symbol.end_line - symbol.start_line + 1}\n"
            if len(nodes) <= 15:
                out += "  snippet:\n"
                sites = {p for a in edges if a[1] == key and a[0] in ("CALLS", "INCLUDES") for p in places[a]}
                out += self.snippet(symbol, sorted(sites), 10 if len(nodes) < 6 else (25 - len(nodes)) // 2)
        if cut:
            out += f"\nNote: Results truncated to {cut} nodes. Refine query with more specific symbol.\n"
        elif len(nodes) > 15:
            out += f"\nNote: Snippets omitted ({len(nodes)} nodes). Use Read tool with offset/limit shown above.\n"
        return out

    def chains(self, edges: list[Arrow]) -> list[list[Arrow]]:
        left = list(edges)
        lines: list[list[Arrow]] = []
        while left:
            free = [a for a in left if not any(b[2] == a[1] and b[1] != a[1] for b in edges)]
            queue = [(free or left)[0]]
            while queue:
                arrow = queue.pop(0)
                if arrow not in left:
                    continue
                line: list[Arrow] = []
                while True:
                    left.remove(arrow)
                    line.append(arrow)
                    onward = [a for a in left if a[1] == arrow[2]]
                    if not onward:
                        break
                    arrow = onward[0]
                lines.append(line)
                for key in [line[0][1], *(a[2] for a in line)]:
                    queue += [a for a in left if a[1] == key]
        return lines

    def name(self, key: int) -> str:
        symbol = self.symbols[key]
        if symbol.kind is Kind.File:
            return symbol.file
        if symbol.kind is Kind.Method:
            return self.symbols[symbol.parent].name + "." + symbol.name
        return symbol.name

    def snippet(self, symbol: Symbol, sites: list[tuple[int, int]], context: int) -> str:
        source = self.sources[symbol.file].split("\n")[:-1]
        start, end = symbol.start_line, symbol.end_line
        if not sites:
            wanted = set(range(start, min(end, start + context - 1) + 1))
        elif end - start + 1 <= 2 * context:
            wanted = set(range(start, end + 1))
        else:
            wanted = {n for line, _ in sites[:5] for n in range(line - context, line + context + 1)}
        wanted = {n for n in wanted if 1 <= n <= len(source)}
        for n in sorted(wanted):
            if n + 1 not in wanted and n + 2 in wanted:
                wanted.add(n + 1)
            elif n + 1 not in wanted and n + 2 not in wanted and n + 3 in wanted:
                wanted |= {n + 1, n + 2}
        out, last = "", 0
        for n in sorted(wanted):
            if last and n > last + 1:
                out += f"    ... {n - last - 1} lines omitted ...\n"
            out += f"    {n}: {source[n - 1]}\n"
            last = n
        return out
