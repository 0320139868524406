"""Calls that mean more than a call where arguments are literal: `getattr(x, "f")`, `super()`, `import_module("m")`.

In: the CALL term as written, which stays. Out: the term of what the call hands back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from codegps.languages.python import nodes as n
from codegps.languages.python.walk import CLASS, FUNCTION, Walk, value
from codegps.model.facts import Arg, Effect, ImportFact, ImportKind, Op
from codegps.parse import parse_part

if TYPE_CHECKING:
    from tree_sitter import Node


def positional(walk: Walk, term: int) -> list[int]:
    """The plain positional arguments of a CALL."""
    call = walk.terms[term]
    return [call[at + 2] for at in range(6, len(call), 3) if call[at] == Arg.POSITIONAL]


def text_of(walk: Walk, term: int) -> str | None:
    """The text of a string literal."""
    found = walk.terms[term]
    listed = walk.source.strings.listed
    if found[0] == Op.CONST and listed[found[1]] == "str" and found[2] >= 0:
        return listed[found[2]]
    return None


def getattr_(walk: Walk, term: int, arguments: Node) -> int:
    given = positional(walk, term)
    name = text_of(walk, given[1]) if len(given) in (2, 3) else None
    if name is None:
        if len(given) in (2, 3):
            asked = walk.terms[given[1]]
            if asked[0] == Op.PARAM and asked[1] == walk.symbol:
                walk.source.symbols[walk.symbol].params[asked[2]].key = True
        return term
    place = walk.terms[term][2:4]
    read = walk.add(Op.ATTR, given[0], walk.source.strings[name], *place, *place)
    walk.effects.append([Effect.REFER, read, walk.refer_kind, *place])
    return walk.union([read, given[2]]) if len(given) == 3 else read


def setattr_(walk: Walk, term: int, arguments: Node) -> int:
    given = positional(walk, term)
    name = text_of(walk, given[1]) if len(given) == 3 else None
    if name is not None:
        place = walk.terms[term][2:4]
        walk.effects.append([Effect.STORE, given[0], walk.source.strings[name], given[2], *place])
    return term


def super_(walk: Walk, term: int, arguments: Node) -> int:
    given = positional(walk, term)
    function = walk
    while function.outer is not None and function.kind == FUNCTION and function.outer.kind == FUNCTION:
        function = function.outer
    around = function.outer if function.kind == FUNCTION else None
    symbol = around.symbol if around is not None and around.kind == CLASS else -1
    if not given:
        self = walk.params[0] if walk.params else -1
        return walk.add(Op.SUPER, symbol, self)
    return walk.add(Op.SUPER, named_class(walk, arguments), given[1] if len(given) > 1 else -1)


def named_class(walk: Walk, arguments: Node) -> int:
    """The symbol of the class that `super(C, self)` names."""
    first = next((child for child in arguments.children if child.kind_id not in n.PUNCTUATION), None)
    name = walk.source.word(first) if first is not None else ""
    scope: Walk | None = walk
    while scope is not None:
        if scope.kind == CLASS and name in (walk.source.symbols[scope.symbol].name, "__class__", "self.__class__"):
            return scope.symbol
        scope = scope.outer
    return walk.source.classes.get(name, -1)


def globals_(walk: Walk, term: int, arguments: Node) -> int:
    """`globals()["f"]`: the subscript asks whether its base is one of these."""
    if not positional(walk, term):
        walk.namespaces.add(term)
    return term


def vars_(walk: Walk, term: int, arguments: Node) -> int:
    """`vars(x)` is `x.__dict__`."""
    given = positional(walk, term)
    if len(given) != 1:
        return globals_(walk, term, arguments) if walk.outer is None else term
    place = walk.terms[term][2:4]
    return walk.add(Op.ATTR, given[0], walk.source.strings["__dict__"], *place, *place)


def eval_(walk: Walk, term: int, arguments: Node) -> int:
    """`eval("f()")`: a literal is read where it stands."""
    written = [child for child in arguments.children if child.kind_id not in n.PUNCTUATION]
    text = walk.source.text
    if len(written) != 1 or written[0].kind_id != n.STRING or "\\" in walk.source.word(written[0]):
        return term
    start, end = written[0].start_byte, written[0].end_byte
    quotes = 3 if text.startswith(('"""', "'''"), start) else 1
    if text[start] not in "\"'":
        return term
    root = parse_part("python", walk.source.source, start + quotes, end - quotes).root_node
    statements = root.named_children
    if root.has_error or len(statements) != 1 or statements[0].kind_id != n.EXPRESSION_STATEMENT:
        return term
    inner = statements[0].named_children
    return value(walk, inner[0]) if len(inner) == 1 and inner[0].kind_id not in (n.ASSIGNMENT, n.AUGMENTED) else term


def import_(walk: Walk, term: int, arguments: Node) -> int:
    given = positional(walk, term)
    name = text_of(walk, given[0]) if given else None
    if not name:
        return term
    line, column = walk.terms[term][2:4]
    imports = walk.source.imports
    imports.append(ImportFact(ImportKind.TOP, name, "", line, column))
    return walk.add(Op.IMPORT, len(imports) - 1)


def import_module(walk: Walk, base: int, term: int, arguments: Node) -> int:
    given = positional(walk, term)
    name = text_of(walk, given[0]) if given else None
    if not name:
        return term
    line, column = walk.terms[term][2:4]
    imports = walk.source.imports
    imports.append(ImportFact(ImportKind.MODULE, name, "", line, column))
    return walk.add(Op.IMPORT, len(imports) - 1)


def import_module_name(walk: Walk, term: int, arguments: Node) -> int:
    return import_module(walk, -1, term, arguments)


def cast(walk: Walk, term: int, arguments: Node) -> int:
    given = positional(walk, term)
    return walk.add(Op.TYPED, given[0], given[1]) if len(given) == 2 else term


def cast_method(walk: Walk, base: int, term: int, arguments: Node) -> int:
    return cast(walk, term, arguments) if is_typing(walk, base) else term


def is_typing(walk: Walk, base: int) -> bool:
    """`typing.`, also under its usual short names."""
    found = walk.terms[base]
    if found[0] == Op.IMPORT:
        return walk.source.imports[found[1]].spec in ("typing", "typing_extensions")
    return found[0] == Op.NAME and walk.source.strings.listed[found[1]] in ("typing", "typing_extensions", "t", "tp")


NAMES: dict[str, Callable[[Walk, int, Node], int]] = {
    "getattr": getattr_,
    "setattr": setattr_,
    "super": super_,
    "globals": globals_,
    "vars": vars_,
    "eval": eval_,
    "__import__": import_,
    "import_module": import_module_name,
    "cast": cast,
}
"""Functions of the library by name, where nothing local has that name."""

METHODS: dict[str, Callable[[Walk, int, int, Node], int]] = {"import_module": import_module, "cast": cast_method}
"""Attributes that are called."""

TYPE_ARGUMENTS: dict[str, int] = {"isinstance": 1, "issubclass": 1, "cast": 0, "NewType": 1}
"""Functions with a type among their arguments, and where it stands."""
