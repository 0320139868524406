"""The state of one walk over one file: the file's head, the unit being written, scopes, places.

The rooms of this package (expressions, statements, functions, ...) are functions that take a `Walker` and a node. They
find each other through its two tables, so that no room needs to import all others: `values` (a node as an
expression, handing back its term) and `does` (a node as a statement).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from tree_sitter import Node

from codegps.languages.javascript.body import Body, Journal, Path, State, Strings, symbol_names
from codegps.languages.javascript.scopes import Scope, Variable, VariableKind
from codegps.languages.javascript.source import Source
from codegps.model.facts import DiagnosticFact, EntryFact, ExportFact, ImportFact, Member, Op, SymbolFact
from codegps.model.graph import Block, Local
from codegps.model.kinds import Flag, Kind

if TYPE_CHECKING:
    from codegps.languages.javascript.flow import Target
    from codegps.languages.javascript.grammar import Grammar
    from codegps.languages.javascript.jsdoc import Doc, Docs

Value = Callable[["Walker", Node], int]
Do = Callable[["Walker", Node], None]

MAX_DIAGNOSTICS: Final = 50
_LEAF: Final = 32
_VAR: Final = ("var ", "var\n", "var\t", "var\r", "var[", "var{", "var/")


class Walker:
    """See the module."""

    def __init__(self, source: Source, path: str, grammar: Grammar, typed: Callable[[], Grammar]) -> None:
        self.source = source
        self.path = path
        self.text = source.text
        self.use(grammar)
        self.typed_grammar = typed
        """The grammar of types in comments."""
        # places
        self.starts = source.starts
        self.line = 1
        self.line_start = 0
        self.line_end = source.starts[1] if len(source.starts) > 1 else len(source.text) + 1
        self._open(source)
        # the unit being written
        self.units: dict[int, Body] = {}
        """All units by their symbol."""
        self.scope: Scope = Scope(None)
        self.outer_span: tuple[int, int] | None = None
        """Span of the statement around a declaration: from `export` on."""
        self.exporting = 0
        """Flags of a declaration inside `export`."""
        self.ambient = source.declarations
        """Inside `declare` and declaration files."""
        self.owner = -1
        """The variable whose initialiser is being walked."""
        self.block = -1
        self.body = Body(0, None, [Op.THIS, 0], -1)
        self.terms = self.body.terms
        self.effects = self.body.effects
        self.leaf = self.body.leaf
        self.constants = self.body.constants
        self.env: dict[Variable, int] = {}
        self.journal: Journal | None = None
        self.journals: list[Journal] = []
        self.targets: list[Target] = []
        self.narrowed: dict[int, int] = {}
        self.dead = False

    def _open(self, source: Source) -> None:
        """What the walk gathers: the head and the sites."""
        # head
        self.strings = Strings()
        self.symbols: list[SymbolFact] = []
        self.offsets: list[int] = []
        """First character of each symbol."""
        self.head: list[list[int]] = []
        self.head_leaf: dict[int, int] = {}
        self.imports: list[ImportFact] = []
        self.members: list[Member] = []
        self.exports: list[ExportFact] = []
        self.star_exports: list[int] = []
        self.entries: list[EntryFact] = []
        self.diagnostics: list[DiagnosticFact] = []
        self.modular = False
        """Whether `import` or `export` is written anywhere."""
        self.commonjs = False
        self.allocations = 0
        self.made: dict[int, int] = {}
        """Node id to the symbol that was made for it ahead of its place."""
        self.signatures: dict[int, list[Node]] = {}
        """A function's symbol to its overload signatures."""
        self.paths: dict[int, Path] = {}
        """Node id of an object literal to the name it is bound to."""
        self.nested: dict[tuple[int, str], int] = {}
        """Namespaces inside namespaces that are written as `A.B`."""
        self.keys: set[str] = symbol_names(source.text)
        """Constants that are symbols."""
        self.has_var = any(word in source.text for word in _VAR)
        self.namespaces: list[tuple[Body, Scope]] = []
        self.exported: set[Variable] = set()
        self.before: list[Node] = []
        """Decorators in front of `export`."""
        self.reads_exports = False
        self.opened: dict[int, Scope] = {}
        """Namespaces to their scope, which a second block of one goes on with."""
        self.guards: dict[int, tuple[int, Node, bool]] = {}
        """Functions that are type guards: parameter, the type that it is known to have, and whether they assert it."""
        self.type_depth = 0
        self.shift = 0
        """What to add to node offsets: types in comments are parsed on their own."""
        self.origins: dict[int, Variable] = {}
        """Terms of the File's unit to the variable that they were first read from."""
        self.undecided: list[tuple[list[list[int]], list[int], list[int]]] = []
        """Effects, one of them that names a captured constant, and its term: gone unless that is a definition."""
        self.additions: dict[Variable, list[tuple[str, int]]] = {}
        """Members that top-level code adds to an object: name and term."""
        self.whole: list[int] = []
        """Head terms of what `module.exports` is set to."""
        self.decorations: dict[int, list[tuple[str, str]]] = {}
        """Symbols to the names of their decorators and the strings these are given."""
        self.titles: list[str] = []
        """Titles of the test suites around."""
        self.docs: Docs | None = None
        self.typedefs: list[tuple[int, Doc, int]] = []
        """Types that comments declare: symbol, comment, number of the tag."""
        # sites
        self.blocks: list[Block] = []
        self.calls: list[tuple[int, str, str | None, list[int]]] = []
        self.locals: list[Local] = []
        self.body_owners: list[int] = []
        """Symbols that have a body."""

    def use(self, grammar: Grammar) -> None:
        """Goes on with nodes of this grammar."""
        self.grammar = grammar
        self.kinds = grammar.kinds
        self.fields = grammar.fields
        self.values: dict[int, Value] = grammar.values
        self.does: dict[int, Do] = grammar.does

    # -- places

    def seek(self, offset: int) -> None:
        """Makes the line of an offset the current one."""
        starts = self.starts
        line = bisect_right(starts, offset)
        self.line = line
        self.line_start = starts[line - 1]
        self.line_end = starts[line] if line < len(starts) else len(self.text) + 1

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column."""
        if not self.line_start <= offset < self.line_end:
            self.seek(offset)
        return self.line, offset - self.line_start + 1

    def name(self, node: Node) -> str:
        """Source text of a node."""
        return self.text[node.start_byte : node.end_byte]

    def complain(self, offset: int, message: str) -> None:
        if len(self.diagnostics) < MAX_DIAGNOSTICS:
            self.diagnostics.append(DiagnosticFact(self.source.place(offset)[0], message))

    # -- terms

    def leaf_term(self, op: int, arg: int) -> int:
        """A term of one operand, once a unit (and owner)."""
        key = op << _LEAF | arg
        term = self.leaf.get(key)
        if term is None:
            term = self.leaf[key] = len(self.terms)
            self.terms.append([op, arg])
        return term

    def unknown(self) -> int:
        term = self.leaf.get(-1)
        if term is None:
            term = self.leaf[-1] = len(self.terms)
            self.terms.append([Op.UNKNOWN])
        return term

    def constant(self, kind: str, text: str | None = None) -> int:
        key = kind if text is None else (kind, text)
        term = self.constants.get(key)
        if term is None:
            strings = self.strings
            term = self.constants[key] = len(self.terms)
            self.terms.append([Op.CONST, strings[kind], -1 if text is None else strings[text]])
        return term

    def spelled(self, string: int) -> str:
        return self.strings.words[string]

    def put(self, term: list[int]) -> int:
        self.terms.append(term)
        return len(self.terms) - 1

    def union(self, terms: list[int]) -> int:
        """One of these."""
        different = list(dict.fromkeys(terms))
        return different[0] if len(different) == 1 else self.put([Op.UNION, *different])

    def this_term(self) -> int:
        body = self.body
        term = self.leaf.get(-2)
        if term is None:
            this = body.this
            term = self.leaf_term(Op.THIS, this[1]) if this[0] == Op.THIS else self.put(list(this))
            if body.home is not None:
                term = self.put([Op.UNION, term, self.read(body.home)])
            if body.kin >= 0:
                term = self.put([Op.UNION, term, self.put([Op.INSTANCE, self.leaf_term(Op.DEF, body.kin)])])
            self.leaf[-2] = term
        return term

    # -- head terms

    def head_leaf_term(self, op: int, arg: int) -> int:
        key = op << _LEAF | arg
        term = self.head_leaf.get(key)
        if term is None:
            term = self.head_leaf[key] = len(self.head)
            self.head.append([op, arg])
        return term

    def head_put(self, term: list[int]) -> int:
        self.head.append(term)
        return len(self.head) - 1

    def head_unknown(self) -> int:
        term = self.head_leaf.get(-1)
        if term is None:
            term = self.head_leaf[-1] = self.head_put([Op.UNKNOWN])
        return term

    # -- symbols

    def symbol(
        self, kind: Kind, name: str, parent: int, start: int, end: int, flags: int = 0, path: str = "", drawn: int = -1
    ) -> int:
        """A new symbol; its qualified name is the path below its parent until the end of the walk."""
        number = len(self.symbols)
        line, column = self.place(start)
        end_line, end_column = self.place(end)
        self.symbols.append(
            SymbolFact(
                name,
                path or name,
                kind,
                flags,
                parent,
                number if drawn < 0 else drawn,
                line,
                column,
                end_line,
                end_column,
            )
        )
        self.offsets.append(start)
        if parent >= 0 and parent != self.body.symbol:
            self.symbols[number].within = self.body.symbol
        return number

    def extend_to(self, symbol: int, end: int) -> None:
        """A symbol written in several pieces spans them all."""
        fact = self.symbols[symbol]
        line, column = self.place(end)
        if (line, column) > (fact.end_line, fact.end_column):
            fact.end_line, fact.end_column = line, column

    def span_of(self, node: Node) -> tuple[int, int]:
        """A statement's span where the node is all there is to it, else the node's own."""
        around = node.parent
        if around is not None and around.type == "expression_statement":
            return around.start_byte, around.end_byte
        return node.start_byte, node.end_byte

    def drawn(self) -> int:
        """The symbol that what is written here is folded into."""
        return self.owner if self.owner >= 0 else self.symbols[self.body.symbol].drawn

    def anonymous(self, node: Node, flags: int = 0) -> int:
        """A function without a name."""
        return self.symbol(
            Kind.Function,
            "",
            self.body.symbol,
            node.start_byte,
            node.end_byte,
            flags | Flag.ANONYMOUS,
            drawn=self.drawn(),
        )

    # -- variables

    def find(self, name: str) -> Variable | None:
        scope: Scope | None = self.scope
        while scope is not None:
            found = scope.names.get(name)
            if found is not None:
                return found
            scope = scope.parent
        return None

    def declare(self, scope: Scope, name: str, kind: VariableKind, body: Body | None = None) -> Variable:
        """A variable of a scope, made once."""
        known = scope.names.get(name)
        if known is not None and known.kind != VariableKind.IMPORT:
            return known
        owner = self.body if body is None else body
        module = scope.members and owner.symbol == scope.symbol
        variable = scope.names[name] = Variable(name, owner, kind, module and scope.symbol == 0, module)
        count = owner.labels.get(name, 0) + 1
        owner.labels[name] = count
        inner = not module and owner.members
        variable.label = f"{name}~{count + 1}" if inner else (name if count == 1 else f"{name}~{count}")
        variable.depth = len(self.journals)
        owner.variables.append(variable)
        return variable

    def used_as_key(self, term: int) -> None:
        """Notes where a parameter is a key."""
        row = self.terms[term]
        if row[0] == Op.PARAM:
            self.symbols[row[1]].params[row[2]].key = True

    def read(self, variable: Variable) -> int:
        from codegps.languages.javascript.flow import read

        return read(self, variable)

    # -- bodies

    def unit(self, symbol: int, this: list[int], class_symbol: int) -> Body:
        """The unit of a symbol; what is declared in several pieces has one."""
        known = self.units.get(symbol)
        if known is None:
            known = self.units[symbol] = Body(symbol, self.body, this, class_symbol)
        else:
            known.this, known.class_symbol = this, class_symbol
        return known

    def enter(self, body: Body, scope: Scope) -> State:
        """Goes on writing in another unit; hands back what `leave` needs."""
        saved = self.state()
        self.body = body
        self.terms = body.terms
        self.effects = body.effects
        self.leaf = body.leaf
        self.constants = body.constants
        self.scope = scope
        self.env = {}
        self.journal = None
        self.journals = []
        self.targets = []
        self.narrowed = {}
        self.dead = False
        self.owner = -1
        self.outer_span = None
        self.exporting = 0
        return saved

    def state(self) -> State:
        return (
            self.body,
            self.terms,
            self.effects,
            self.leaf,
            self.scope,
            self.env,
            self.journal,
            self.journals,
            self.targets,
            self.narrowed,
            self.dead,
            self.owner,
            self.block,
            self.outer_span,
            self.exporting,
        )

    def leave(self, saved: State) -> None:
        (
            self.body,
            self.terms,
            self.effects,
            self.leaf,
            self.scope,
            self.env,
            self.journal,
            self.journals,
            self.targets,
            self.narrowed,
            self.dead,
            self.owner,
            self.block,
            self.outer_span,
            self.exporting,
        ) = saved
        self.constants = self.body.constants

    def run(self, statements: list[Node]) -> None:
        """Statements one after the other, function declarations first: they are there from the start of their block.

        A statement that nests too deeply to be walked is left out.
        """
        does, hoisted = self.does, self.grammar.hoisted
        kinds = [node.kind_id for node in statements]
        if not hoisted.isdisjoint(kinds):
            first = [node for node, kind in zip(statements, kinds, strict=True) if kind in hoisted]
            statements = first + [node for node, kind in zip(statements, kinds, strict=True) if kind not in hoisted]
        state = (self.state(), len(self.journals), len(self.targets))
        at, count = 0, len(statements)
        while at < count:
            try:
                while at < count:
                    node = statements[at]
                    at += 1
                    does[node.kind_id](self, node)
            except RecursionError:
                self._recover(state, statements[at - 1])

    def _recover(
        self,
        state: tuple[State, int, int],
        node: Node,
    ) -> None:
        """Goes back to where the list of statements was being walked."""
        self.leave(state[0])
        while len(self.journals) > state[1]:
            for variable, old in self.journals.pop().items():
                if old is None:
                    self.env.pop(variable, None)
                else:
                    self.env[variable] = old
        self.journal = self.journals[-1] if self.journals else None
        del self.targets[state[2] :]
        self.complain(node.start_byte, "nested too deeply: this statement was left out")

    def own(self, symbol: int) -> tuple[int, int, dict[int, int]]:
        """What is written from now on is in the code of `symbol`; hands back what `disown` needs."""
        state = (self.owner, len(self.terms), self.leaf)
        self.owner = symbol
        self.leaf = {}
        return state

    def disown(self, state: tuple[int, int, dict[int, int]], symbol: int) -> None:
        self.owner, start, self.leaf = state
        if len(self.terms) > start:
            self.body.owners.append((start, len(self.terms), symbol))
