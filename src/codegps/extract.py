"""What every front end needs to write down facts: a string table, symbols, interned head terms, call sites, encoding.

In: what a language's walk over a tree finds. Out: `FileFacts`. The walk itself belongs to the language.
"""

from __future__ import annotations

from codegps.model.facts import (
    ENCODER,
    DiagnosticFact,
    EntryFact,
    ExportFact,
    FileFacts,
    Head,
    ImportFact,
    Member,
    Op,
    SymbolFact,
)

RECEIVER_LENGTH = 60


class Strings(dict[str, int]):
    """The string table: `strings[text]` is its number."""

    def __init__(self) -> None:
        super().__init__()
        self.listed: list[str] = []

    def __missing__(self, text: str) -> int:
        number = self[text] = len(self.listed)
        self.listed.append(text)
        return number


class Draft:
    """The facts of one file while they are being collected."""

    def __init__(self) -> None:
        self.strings = Strings()
        self.symbols: list[SymbolFact] = []
        self.terms: list[list[int]] = []
        """Head terms."""
        self._interned: dict[tuple[int, ...], int] = {}
        self.imports: list[ImportFact] = []
        self.members: list[Member] = []
        self.stars: list[int] = []
        self.exports: list[ExportFact] = []
        self.star_exports: list[int] = []
        self.all_names: list[str] | None = None
        self.explicit_exports = False
        self.commonjs = False
        self.entries: list[EntryFact] = []
        self.diagnostics: list[DiagnosticFact] = []
        self.lines = 0
        self.unit_symbols: list[int] = []
        self.units: list[bytes] = []
        # Rows of model.graph.Sites, as plain lists: a struct each would cost more than all the rest of a call.
        self.owners: list[str] = []
        self.blocks: list[tuple[int, int, str, int]] = []
        self.calls: list[tuple[int, str, str | None, int, int]] = []
        self.locals: list[tuple[int, str, int]] = []

    def head_term(self, *term: int) -> int:
        """The number of this head term; equal terms are one."""
        number = self._interned.get(term)
        if number is None:
            number = self._interned[term] = len(self.terms)
            self.terms.append(list(term))
        return number

    def head_union(self, terms: list[int]) -> int:
        return terms[0] if len(terms) == 1 else self.head_term(Op.UNION, *terms)

    def diagnose(self, line: int, message: str) -> None:
        self.diagnostics.append(DiagnosticFact(line, message))

    def add_unit(
        self, symbol: int, terms: list[list[int]], effects: list[list[int]], owners: list[tuple[int, int, int]]
    ):
        self.unit_symbols.append(symbol)
        self.units.append(ENCODER.encode((symbol, terms, effects, owners)))

    def finish(self, version: str) -> FileFacts:
        head = Head(
            strings=self.strings.listed,
            symbols=self.symbols,
            terms=self.terms,
            imports=self.imports,
            members=self.members,
            stars=self.stars,
            exports=self.exports,
            star_exports=self.star_exports,
            all_names=self.all_names,
            explicit_exports=self.explicit_exports,
            commonjs=self.commonjs,
            entries=self.entries,
            diagnostics=sorted(self.diagnostics, key=lambda d: (d.line, d.message)),
            lines=self.lines,
            unit_symbols=self.unit_symbols,
        )
        imports = [(found.spec, found.name) for found in self.imports]
        sites = ENCODER.encode((self.owners, self.blocks, self.calls, self.locals, imports))
        return FileFacts(version, ENCODER.encode(head), self.units, sites)
