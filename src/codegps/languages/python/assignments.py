"""Assignments: nodes in; bindings, declared types and aliases out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegps.languages.python import nodes as n
from codegps.languages.python.annotations import annotation, in_text
from codegps.languages.python.dynamic import text_of
from codegps.languages.python.heads import plain
from codegps.languages.python.targets import assign, variable
from codegps.languages.python.walk import CLASS, FUNCTION, MODULE, VALUE, Walk, value
from codegps.model.facts import Arg, Member, Op
from codegps.model.kinds import Kind

if TYPE_CHECKING:
    from tree_sitter import Node

# fmt: off
_GENERICS = frozenset({
    "Union", "Optional", "Callable", "List", "Dict", "Set", "FrozenSet", "Tuple", "Type", "Sequence", "Mapping",
    "Iterable", "Iterator", "Generator", "Awaitable", "Coroutine", "AsyncIterator", "AsyncIterable",
    "Annotated", "Literal", "Final", "ClassVar", "DefaultDict", "OrderedDict", "Collection", "MutableMapping",
    "MutableSequence", "list", "dict", "set", "frozenset", "tuple", "type",
})
# fmt: on
"""Types whose subscript is a type."""


def assignment(walk: Walk, node: Node) -> None:
    """`a = b = value`, `a: T = value`, `a: T`"""
    source = walk.source
    targets: list[Node] = []
    typed: Node | None = None
    right: Node = node
    while right.kind_id == n.ASSIGNMENT:
        parts = right.children
        targets.append(parts[0])
        found = next((part for part in parts if part.kind_id == n.TYPE), None)
        typed = found or typed
        last = parts[-1]
        if found is not None and last is found:
            declare(walk, targets[0], found, node)
            return
        right = last
    if right.kind_id == n.AUGMENTED:
        augmented(walk, right)
        return
    symbol = -1
    if walk.kind == MODULE:
        symbol = next((variable(walk, name, node) for name in simple_names(walk, targets[0])), -1)
    first = len(walk.terms)
    owner, walk.owner = walk.owner, symbol
    of = annotation(walk, typed) if typed is not None else comment_type(walk, node)
    if symbol >= 0 and source.symbols[symbol].name == "urlpatterns":
        walk.routes = symbol
    alias = walk.kind != FUNCTION and (is_generic(walk, right) or (of >= 0 and type_word(walk, of) == "TypeAlias"))
    term = annotation(walk, right) if alias else value(walk, right)
    walk.routes = -1
    if of >= 0:
        term = declared(walk, targets[0], of, term, node)
    walk.owner = owner
    if symbol >= 0:
        walk.owned(first, symbol)
    if walk.kind != FUNCTION and targets[0].kind_id == n.IDENTIFIER:
        named(walk, source.word(targets[0]), right, term, node)
    for target in targets:
        assign(walk, target, term, node, right.start_byte)


def is_generic(walk: Walk, node: Node) -> bool:
    """`Optional[X]`, `list[X]`: a type alias, not an item of something."""
    if node.kind_id != n.SUBSCRIPT:
        return False
    base = node.children[0]
    return walk.source.text[base.start_byte : base.end_byte].rpartition(".")[2] in _GENERICS


def simple_names(walk: Walk, target: Node) -> list[str]:
    """The first name that a target binds, if any."""
    while target.kind_id != n.IDENTIFIER:
        inner = target.named_children
        if not inner or target.kind_id in (n.ATTRIBUTE, n.SUBSCRIPT):
            return []
        target = inner[0]
    return [walk.source.word(target)]


def named(walk: Walk, name: str, right: Node, term: int, node: Node) -> None:
    """What else a module- or class-level name may be: `__all__`, a type alias."""
    source = walk.source
    found = walk.terms[term]
    if name == "__all__" and walk.kind == MODULE:
        source.all_names = literal_names(walk, term)
    elif found[0] in (Op.ITEM, Op.OPER):
        symbol = variable(walk, name, node)
        if symbol >= 0:
            source.symbols[symbol].alias = plain(walk, term, True)
    elif found[0] == Op.CALL and right.kind_id == n.CALL:
        callee = source.word(right.children[0]).rpartition(".")[2]
        if callee == "TypeVar":
            bounds(walk, variable(walk, name, node), found)
        if callee == "NewType" and len(found) == 12:
            symbol = variable(walk, name, node)
            if symbol >= 0:
                source.symbols[symbol].kind = Kind.TypeAlias
                source.symbols[symbol].alias = plain(walk, found[11], True)


def bounds(walk: Walk, symbol: int, call: list[int]) -> None:
    """`TypeVar("T", A, B)`, `TypeVar("T", bound=A)`: what the variable is at least; a name in a string counts."""
    source = walk.source
    found: list[int] = []
    for at in range(6, len(call), 3):
        if call[at] == Arg.POSITIONAL and at == 6:
            continue
        if call[at] == Arg.KEYWORD and source.strings.listed[call[at + 1]] != "bound":
            continue
        name = text_of(walk, call[at + 2])
        if name is not None:
            found.append(source.head_term(Op.NAME, source.strings[name]) if name.isidentifier() else -1)
        else:
            found.append(plain(walk, call[at + 2], True))
    if symbol >= 0:
        source.symbols[symbol].type_bounds = [each for each in found if each >= 0]


def literal_names(walk: Walk, term: int) -> list[str] | None:
    """The strings of a literal list or tuple, else None."""
    found = walk.terms[term]
    listed = walk.source.strings.listed
    if found[0] != Op.LIST:
        return None
    out: list[str] = []
    for element in found[3:]:
        one = walk.terms[element]
        if one[0] != Op.CONST or listed[one[1]] != "str" or one[2] < 0:
            return None
        out.append(listed[one[2]])
    return out


def comment_type(walk: Walk, node: Node) -> int:
    """`x = [] # type: List[int]`"""
    source = walk.source
    if source.type_comments:
        found = source.type_comments.get(source.line(node.end_byte))
        if found is not None and found[0] > node.end_byte and not found[1].startswith("ignore"):
            return in_text(walk, found[0], found[0] + len(found[1]))
    return -1


def declared(walk: Walk, target: Node, of: int, term: int, node: Node) -> int:
    """The value of an annotated variable; members and aliases are noted."""
    source = walk.source
    if target.kind_id == n.ATTRIBUTE:
        field(walk, target, of)
        return walk.add(Op.TYPED, of, term)
    if target.kind_id != n.IDENTIFIER:
        return term
    name = source.word(target)
    word = type_word(walk, of)
    if walk.kind == FUNCTION and walk.declared.get(name) != 0:
        return term if word == "Final" else walk.add(Op.TYPED, of, term)
    symbol = variable(walk, name, node)
    fact = source.symbols[symbol] if symbol >= 0 else None
    if word == "TypeAlias":
        if fact is not None:
            fact.kind = Kind.TypeAlias
            quoted = walk.terms[term]
            fact.alias = plain(walk, term, True) if quoted[0] != Op.CONST else -1
        return term
    if word == "ClassVar":
        walk.class_vars.add(name)
    if word == "Final" and fact is not None:
        fact.kind = Kind.Constant
    if walk.terms[of][0] in (Op.NAME, Op.IMPORT, Op.ATTR) and word == "Final":
        return term
    walk.types[name] = of
    if fact is not None:
        fact.declared = plain(walk, of, True)
    return walk.add(Op.TYPED, of, term)


def type_word(walk: Walk, of: int) -> str:
    """`Final`, `ClassVar`, `TypeAlias`: the last name of a type, without what stands in its brackets."""
    found = walk.terms[of]
    if found[0] == Op.ITEM:
        found = walk.terms[found[1]]
    if found[0] == Op.NAME:
        return walk.source.strings.listed[found[1]]
    if found[0] == Op.ATTR:
        return walk.source.strings.listed[found[2]]
    return walk.source.imports[found[1]].name if found[0] == Op.IMPORT else ""


def declare(walk: Walk, target: Node, typed: Node, node: Node) -> None:
    """`x: T` without a value."""
    of = annotation(walk, typed)
    if target.kind_id == n.ATTRIBUTE:
        value(walk, target.children[0])
        field(walk, target, of)
    elif target.kind_id == n.IDENTIFIER:
        name = walk.source.word(target)
        if walk.kind == FUNCTION and walk.declared.get(name) != 0:
            walk.bind(name, walk.add(Op.TYPED, of, -1), target.start_byte)
            return
        symbol = variable(walk, name, node)
        walk.types[name] = of
        if type_word(walk, of) == "ClassVar":
            walk.class_vars.add(name)
        if symbol >= 0:
            fact = walk.source.symbols[symbol]
            fact.declared = plain(walk, of, True)
            if type_word(walk, of) == "Final":
                fact.kind = Kind.Constant
    else:
        VALUE[target.kind_id](walk, target)


def field(walk: Walk, target: Node, of: int) -> None:
    """`self.x: T`: a field of the class that declares the method."""
    base = target.children[0]
    around = walk.outer
    if around is None or around.kind != CLASS or base.kind_id != n.IDENTIFIER or not walk.params:
        return
    source = walk.source
    if source.word(base) == source.symbols[walk.symbol].params[0].name:
        name = source.word(target.children[-1])
        source.members.append(Member(around.symbol, name, -1, -1, plain(walk, of, True), True))


def augmented(walk: Walk, node: Node) -> None:
    """`x += value`: reads, calls the special method, writes."""
    source = walk.source
    parts = [part for part in node.children if part.kind_id not in n.PUNCTUATION]
    target, operator, right = parts[0], parts[1], parts[-1]
    if target.kind_id == n.IDENTIFIER:
        left = walk.use(source.word(target), target.start_byte)
    else:
        left = value(walk, target)
    name = source.word(target)
    if name == "urlpatterns" and walk.kind == MODULE:
        walk.routes = variable(walk, name, node)
    term = value(walk, right)
    walk.routes = -1
    if name == "__all__" and walk.kind == MODULE and source.all_names is not None:
        more = literal_names(walk, term)
        source.all_names = source.all_names + more if more is not None else None
    method = source.strings[n.METHODS.get(operator.kind_id, "__iadd__")]
    plain_left = walk.terms[left]
    if plain_left[0] != Op.CONST or walk.terms[term][0] != Op.CONST:
        left = walk.add(Op.OPER, method, left, term, *source.place(operator.start_byte))
    assign(walk, target, left, node)
