"""The state of a walk: one `Source` a file, one `Walk` a body, and how names and flow are kept while nodes go by.

In: nodes of one tree. Out: terms and effects of one unit, which `finish` hands to the file's draft. The handlers of
node kinds live in the other modules of this folder and are found through the tables VALUE and STATEMENT.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from codegps.extract import Draft
from codegps.languages.python import nodes as n
from codegps.model.facts import Effect, ImportKind, Op, SymbolFact
from codegps.model.kinds import CLASS_KINDS, EdgeKind, Kind

if TYPE_CHECKING:
    from tree_sitter import Node

DEPTH = 100
"""Expressions and blocks nested deeper than this are given up: each level costs up to eight frames of the stack."""

MODULE: Final = 0
CLASS: Final = 1
FUNCTION: Final = 2

VARIABLE: Final = 1
DEFINITION: Final = 2
IMPORTED: Final = 4
"""What binds a name in a scope (bits)."""

ALIVE: Final = 0
LEFT: Final = 1
RAISED: Final = 2
"""`Walk.dead`: whether control gets here; a `with` may swallow what was raised."""


_MODULE_TEXTS = frozenset({"__name__", "__file__", "__doc__", "__package__", "__qualname__", "__module__", "__debug__"})
"""Names that every module has."""


class _Table(dict[int, "Callable[[Walk, Node], int]"]):
    """Node kind to handler; unknown kinds (also ERROR) look for values in their children."""

    def __missing__(self, kind: int) -> Callable[[Walk, Node], int]:
        return unknown


class Source(Draft):
    """One file: its text, places in it, and the facts that its bodies add to."""

    def __init__(self, source: bytes, path: str) -> None:
        super().__init__()
        self.path = path
        self.source = source
        self.text = source.decode("latin-1")
        """One character a byte, so that byte offsets slice it; `fix` repairs what is not ASCII."""
        self.ascii = source.isascii()
        self.starts: list[int] = list(accumulate(map(len, source.splitlines(keepends=True)), initial=0))
        """Offset of each line's first byte; line feeds are the only line ends that `decode` leaves."""
        if len(self.starts) > 1 and not source.endswith(b"\n"):
            self.starts.pop()
        self.real_lines: list[tuple[int, int]] | None = None
        """A notebook's: per line of `source` the real line and the columns before its text."""
        self.depth = 0
        self.crooked = False
        """Whether statements of one block stand at different levels."""
        self.walrus = b":=" in source
        self.classes: dict[str, int] = {}
        """Module-level classes so far, by name."""
        self.enums: set[int] = set()
        self.fields: dict[int, set[str]] = {}
        """Class → fields that its methods store on their own object."""
        self.test_classes: set[int] = set()
        self.type_comments: dict[int, tuple[int, str]] = {}
        """Line → offset and text of its `# type:` comment."""
        self.declaration_file = path.endswith(".pyi")

    def place(self, offset: int, /) -> tuple[int, int]:
        """Line and column. This is asked more often than anything else: see `plain_places`."""
        starts = self.starts
        line = bisect_right(starts, offset)
        start = starts[line - 1]
        column = offset - start + 1
        if not self.ascii and not (text := self.source[start:offset]).isascii():
            column = len(text.decode("utf-8", "replace")) + 1
        if self.real_lines is not None:
            real, shift = self.real_lines[min(line, len(self.real_lines)) - 1]
            return real, column + shift
        return line, column

    def settle_places(self) -> None:
        """Once lines are known: text that is ASCII and stands where it stands needs no more than the line table."""
        if self.ascii and self.real_lines is None:
            self.place = plain_places(self.starts)

    def line(self, offset: int) -> int:
        """The line in `source`."""
        return bisect_right(self.starts, offset)

    def fix(self, name: str) -> str:
        """Text cut from `text` as it really reads."""
        if name.isascii():
            return name
        name = name.encode("latin-1").decode("utf-8", "replace")
        return unicodedata.normalize("NFKC", name) if name.isidentifier() else name

    def word(self, node: Node) -> str:
        text = self.text[node.start_byte : node.end_byte]
        return text if self.ascii else self.fix(text)


def plain_places(starts: list[int]) -> Callable[[int], tuple[int, int]]:
    def place(offset: int) -> tuple[int, int]:
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    return place


class Loop:
    """Environments that leave a loop by `break` and start it again by `continue`."""

    __slots__ = ("breaks", "continues")

    def __init__(self) -> None:
        self.breaks: list[dict[str, int]] = []
        self.continues: list[dict[str, int]] = []


class Walk:
    """One body: module, class, function or lambda."""

    def __init__(self, source: Source, kind: int, symbol: int, outer: Walk | None) -> None:
        self.source = source
        self.kind = kind
        self.symbol = symbol
        self.outer = outer
        self.terms: list[list[int]] = []
        self.effects: list[list[int]] = []
        self.owners: list[tuple[int, int, int]] = []
        self.owner = -1
        """The symbol in whose code we are where that is not this body's."""
        self.env: dict[str, int] = {}
        """Name → the term that may reach here. `self.x`, with a dot, where that is known better than by the name."""
        self.dotted: dict[str, int] = {}
        """Keys of `env` with a dot → number of calls seen when it was stored (-1 for narrowings)."""
        self.bound: list[tuple[str, int]] = []
        self.names: dict[str, tuple[int, bool]] = {}
        """Names that are not local → term, and whether naming it is a reference."""
        self.constants: dict[tuple[str, str], int] = {}
        self.made: dict[tuple[int, ...], int] = {}
        """Terms without a place → their number."""
        self.unions: dict[tuple[int, ...], int] = {}
        self.joins: set[int] = set()
        self.narrowed: dict[int, int] = {}
        """NARROW term → the term that it narrows."""
        self.named: set[int] = set()
        """Terms that stand for definitions and imports: to name them is a reference."""
        self.locals: dict[str, int] = {}
        self.declared: dict[str, int] = {}
        """Names declared global (0) or nonlocal (their function)."""
        self.captured: set[str] = set()
        self.shared: set[str] = set()
        """Names that an inner function assigns: their flow is not ours alone."""
        self.dead = ALIVE
        self.loops: list[Loop] = []
        self.allocs = 0
        self.calls = 0
        self.refer_kind = int(EdgeKind.REFERENCES)
        self.hidden: dict[str, int] = {}
        """Comprehension variables in force."""
        self.counts: dict[str, int] = {}
        self.lambdas = 0
        self.variables: dict[str, int] = {}
        """Module- or class-level name → its symbol."""
        self.types: dict[str, int] = {}
        """Module- or class-level name → unit term of its declared type."""
        self.class_vars: set[str] = set()
        """Annotated names that are no fields of the instances."""
        self.rebound: set[str] = set()
        """Module-level names that functions assign."""
        self.placeholders: set[int] = set()
        """UNION terms that stand for a name at the start of a loop."""
        self.type_params: dict[str, int] = {}
        self.seen: set[str] = set()
        """Variables already noted in the call sites' table."""
        self.returns_params: set[int] = set()
        self.params: list[int] = []
        self.generator = False
        self.typing_only = False
        """Inside `if TYPE_CHECKING:`."""
        self.routes = -1
        """The symbol of `urlpatterns` while its value is read."""
        self.block = -1
        self.owner_row = -1
        self.signing = False
        """While the types of a signature are read: they belong to the scope around."""
        self.namespaces: set[int] = set()
        """Terms that are the module's names as a dict."""

    # Terms

    def add(self, *term: int) -> int:
        terms = self.terms
        terms.append(list(term))
        return len(terms) - 1

    def constant(self, kind: str, literal: str = "") -> int:
        key = (kind, literal)
        found = self.constants.get(key)
        if found is None:
            strings = self.source.strings
            text = strings[literal] if literal or kind == "str" else -1
            found = self.constants[key] = self.add(Op.CONST, strings[kind], text)
        return found

    def text_constant(self, literal: str) -> int:
        return self.constant("str", literal) if len(literal) <= 80 else self.some("str")

    def some(self, kind: str) -> int:
        """A constant of which only the type is known."""
        return self.constant_term((Op.CONST, self.source.strings[kind], -1))

    def alloc(self) -> int:
        self.allocs += 1
        return self.allocs - 1

    def unknown(self) -> int:
        return self.constant_term((Op.UNKNOWN,))

    def constant_term(self, term: tuple[int, ...]) -> int:
        """A term without a place: one of each is enough."""
        found = self.made.get(term)
        if found is None:
            found = self.made[term] = self.add(*term)
            if term[0] == Op.DEF or (term[0] == Op.IMPORT and self.is_member_import(term[1])):
                self.named.add(found)
        return found

    def is_member_import(self, number: int) -> bool:
        """A module named is no reference; what is imported from one may be."""
        return self.source.imports[number].kind == ImportKind.NAME

    def union(self, alternatives: list[int]) -> int:
        """One of these; joins of joins are flattened, and what was only narrowed is itself again."""
        flat: list[int] = []
        seen: set[int] = set()
        for term in alternatives:
            for one in self.terms[term][1:] if term in self.joins and len(self.terms[term]) < 66 else (term,):
                if one not in seen:
                    seen.add(one)
                    flat.append(one)
        if len(flat) > 1 and self.narrowed:
            bases = {self.narrowed.get(term, term) for term in flat}
            if len(bases) < len(flat):
                return self.union(sorted(bases)) if len(bases) > 1 else bases.pop()
        if len(flat) == 1:
            return flat[0]
        key = tuple(flat)
        found = self.unions.get(key)
        if found is None:
            found = self.unions[key] = self.add(Op.UNION, *flat)
            self.joins.add(found)
            if self.named.issuperset(flat):
                self.named.add(found)
        return found

    # Flow

    def join(self, ends: list[dict[str, int]]) -> dict[str, int]:
        """What may be known where several ways meet."""
        if len(ends) == 1:
            return ends[0]
        first = ends[0]
        out = dict(first)
        for other in ends[1:]:
            for name, term in other.items():
                if first.get(name) != term and out.get(name, -2) != term:
                    out[name] = -1
        for name, mark in out.items():
            if mark == -1:
                out[name] = self.union([end[name] for end in ends if name in end])
        if self.dotted:
            for name in self.dotted:
                if name in out and any(name not in end for end in ends):
                    del out[name]
        return out

    def meet(self, ends: list[dict[str, int]], before: dict[str, int], dead: int) -> None:
        """Goes on after branches that ended in `ends`; none is left where all of them were cut."""
        if ends:
            self.env = self.join(ends)
            self.dead = dead
        else:
            self.env = before
            self.dead = self.dead or LEFT

    # Names

    def bind(self, name: str, term: int, offset: int) -> None:
        """`name` is `term` from here on."""
        declared = self.declared.get(name) if self.declared else None
        if declared is not None:
            self.effects.append([Effect.BIND, declared, self.source.strings[name], term])
        if self.dotted:
            self.forget(name)
        self.bound.append((name, term))
        if name not in self.shared:
            self.env[name] = term
        if name not in self.seen and self.terms[term][0] not in (Op.IMPORT, Op.DEF):
            self.seen.add(name)
            self.source.locals.append((self.block, name, self.source.place(offset)[0]))

    def forget(self, name: str) -> None:
        """What was known of the fields of `name` is known no more."""
        start = name + "."
        for key in [key for key in self.dotted if key.startswith(start)]:
            del self.dotted[key]
            self.env.pop(key, None)

    def lookup(self, name: str) -> tuple[int, bool]:
        """A name that flow does not know here: its term, and whether to name it is a reference."""
        found = self.names.get(name)
        if found is None:
            found = self.names[name] = self.settle(name)
        return found

    def settle(self, name: str) -> tuple[int, bool]:
        strings = self.source.strings
        declared = self.declared.get(name)
        if declared is None and self.kind == FUNCTION and name in self.locals:
            self.captured.add(name)
            return self.add(Op.LOCAL, self.symbol, strings[name]), False
        if declared:
            return self.add(Op.LOCAL, declared, strings[name]), False
        if declared == 0 or (self.outer is None and name not in _MODULE_TEXTS):
            return self.add(Op.NAME, strings[name]), True
        return self.outside(name)

    def outside(self, name: str) -> tuple[int, bool]:
        """A name of the scopes around this one."""
        strings = self.source.strings
        walk = self
        while True:
            if name in walk.type_params:
                return self.constant_term((Op.TYPEPARAM, walk.type_params[name], strings[name])), False
            outer = walk.outer
            if outer is None:
                break
            if walk is self and (self.kind == CLASS or (self.signing and outer.kind == CLASS)):
                # A class body runs where it stands, and signatures see the names of the class.
                term = outer.terms[outer.env[name]] if name in outer.env else [Op.UNKNOWN]
                if term[0] == Op.IMPORT or (
                    term[0] == Op.DEF and (self.kind == CLASS or self.source.symbols[term[1]].kind in CLASS_KINDS)
                ):
                    return self.constant_term(tuple(term)), term[0] == Op.DEF or self.is_member_import(term[1])
            walk = outer
            if walk.kind == FUNCTION and name in walk.locals and walk.declared.get(name, 1):
                symbol = walk.declared.get(name)
                if symbol is None:
                    symbol = walk.symbol
                    walk.captured.add(name)
                term = self.constant_term((Op.LOCAL, symbol, strings[name]))
                return term, bool(walk.locals[name] & (DEFINITION | IMPORTED))
        if name in _MODULE_TEXTS:
            return self.some("str"), False
        return self.constant_term((Op.NAME, strings[name])), not walk.is_module(name)

    def is_module(self, name: str) -> bool:
        """Whether a name of this module is a module that it imports: to name it is no reference."""
        term = self.env.get(name)
        if term is None or self.terms[term][0] != Op.IMPORT:
            return False
        return not self.is_member_import(self.terms[term][1])

    def type_name(self, name: str, offset: int) -> int:
        """A name in a type. Outside functions only definitions and imports are followed by flow: the rest may be
        a type variable, which its name tells better than its value."""
        term = self.env.get(name)
        if term is None or self.kind == FUNCTION or term in self.named:
            return self.use(name, offset)
        strings = self.source.strings
        if self.terms[term][0] in (Op.IMPORT, Op.TYPEPARAM):
            return term
        own = (Op.NAME, strings[name]) if self.kind == MODULE else (Op.LOCAL, self.symbol, strings[name])
        made = self.constant_term(own)
        self.refer(made, offset)
        return made

    def refer(self, term: int, offset: int) -> None:
        """The name or attribute that ends in the token at `offset` is named without being called."""
        if self.terms[term][0] == Op.UNION:
            for one in self.terms[term][1:]:
                if one in self.named:
                    self.refer(one, offset)
            return
        line, column = self.source.place(offset)
        if self.owner >= 0 and self.terms[term][0] != Op.ATTR:
            term = self.add(*self.terms[term])
        self.effects.append([Effect.REFER, term, self.refer_kind, line, column])

    def use(self, name: str, offset: int, refers: bool = True) -> int:
        """The value of a name here; `refers` is false for what is called."""
        term = self.env.get(name)
        if term is None:
            term, known = self.lookup(name)
            if refers and known:
                self.refer(term, offset)
        elif refers:
            if term in self.named:
                self.refer(term, offset)
            elif self.kind != FUNCTION and name not in self.hidden:
                strings = self.source.strings
                if self.terms[self.narrowed.get(term, term)][0] == Op.IMPORT:
                    return term
                own = (Op.NAME, strings[name]) if self.kind == MODULE else (Op.LOCAL, self.symbol, strings[name])
                self.refer(self.constant_term(own), offset)
        return term

    def give_back(self, term: int) -> None:
        """`return term`: a parameter as it came is noted apart."""
        found = self.terms[term]
        if found[0] == Op.PARAM and found[1] == self.symbol:
            self.returns_params.add(found[2])
        else:
            self.effects.append([Effect.RETURN, term])

    # Blocks

    def open_block(self, kind: str, offset: int) -> int:
        """Starts a nested block of the call sites' table; hands back the one to return to."""
        before = self.block
        blocks = self.source.blocks
        self.block = len(blocks)
        blocks.append((self.owner_row, before, kind, self.source.place(offset)[0]))
        return before

    def open_body(self, qualified: str, offset: int) -> None:
        self.owner_row = len(self.source.owners)
        self.source.owners.append(qualified)
        self.block = -1
        self.open_block("body", offset)

    def finish(self) -> None:
        """The body is done: its unit goes to the file."""
        if self.captured:
            number = self.source.strings
            for name, term in self.bound:
                if name in self.captured and name not in self.declared:
                    self.effects.append([Effect.BIND, self.symbol, number[name], term])
        if self.terms or self.effects:
            self.source.add_unit(self.symbol, self.terms, self.effects, self.owners)

    # Symbols

    def qualify(self, name: str) -> str:
        """The qualified name of a new definition here: the second of one name is `name~2`."""
        count = self.counts[name] = self.counts.get(name, 0) + 1
        around = self.source.symbols[self.symbol].qualified_name
        text = f"{around}.{name}" if around else name
        return text if count == 1 else f"{text}~{count}"

    def define(self, name: str, kind: Kind, start: int, end: int, flags: int = 0) -> int:
        """A new symbol of this scope; its span is between these offsets."""
        source = self.source
        number = len(source.symbols)
        start_line, start_column = source.place(start)
        end_line, end_column = source.place(end)
        source.symbols.append(
            SymbolFact(
                name,
                self.qualify(name),
                kind,
                flags,
                self.symbol,
                number,
                start_line,
                start_column,
                end_line,
                end_column,
            )
        )
        return number

    def owned(self, first: int, symbol: int) -> None:
        """Terms from `first` to here stand in the code of `symbol`."""
        if len(self.terms) > first:
            self.owners.append((first, len(self.terms), symbol))


VALUE: Final = _Table()
"""Handlers of expressions: they hand back a term."""
STATEMENT: Final = _Table()
"""Handlers of statements: what they hand back means nothing."""


def value(walk: Walk, node: Node) -> int:
    """The term of an expression, unless it is nested too deep."""
    source = walk.source
    if source.depth >= DEPTH:
        source.diagnose(source.place(node.start_byte)[0], "expression nested too deeply: what is inside is left out")
        return walk.unknown()
    source.depth += 1
    term = VALUE[node.kind_id](walk, node)
    source.depth -= 1
    return term


def block(walk: Walk, node: Node) -> None:
    """The statements of a block, one after the other."""
    source = walk.source
    if source.depth >= DEPTH:
        source.diagnose(source.place(node.start_byte)[0], "block nested too deeply: what is inside is left out")
        return
    source.depth += 1
    starts = source.starts
    column = -1
    first = ""
    children = node.children
    several = len(children) > 1
    for child in children:
        kind = child.kind_id
        if several and kind not in n.PUNCTUATION:
            offset = child.start_byte
            start = starts[bisect_right(starts, offset) - 1]
            if offset - start != column:
                if column < 0:
                    column = offset - start
                    first = source.text[start:offset]
                elif source.text[start:offset].isspace() or offset == start:
                    source.crooked = source.crooked or levels(first, source.text[start:offset])
        STATEMENT[kind](walk, child)
    source.depth -= 1


def levels(one: str, other: str) -> bool:
    """Whether two lines of one block start at different levels; a block on its header's line has none."""
    return (not one or one.isspace()) and one.expandtabs() != other.expandtabs()


def unknown(walk: Walk, node: Node) -> int:
    """Nodes without a meaning of their own and ERROR: definitions and values inside are still found."""
    for child in node.named_children:
        kind = child.kind_id
        if kind in STATEMENT:
            STATEMENT[kind](walk, child)
        else:
            value(walk, child)
    return walk.unknown()
