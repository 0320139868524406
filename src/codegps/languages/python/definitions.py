"""Functions, lambdas and classes: nodes in; symbols, signatures, and a unit of each body out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegps.languages.python import nodes as n
from codegps.languages.python import scan
from codegps.languages.python.annotations import annotation, in_text, type_params
from codegps.languages.python.calls import called_value
from codegps.languages.python.decorators import Decoration, decorate
from codegps.languages.python.entries import class_entries, function_entries
from codegps.languages.python.heads import members, plain
from codegps.languages.python.targets import assign
from codegps.languages.python.walk import CLASS, FUNCTION, MODULE, VARIABLE, Walk, block, value
from codegps.model.facts import Effect, Op, ParamFact, ParamKind
from codegps.model.kinds import Flag, Kind

if TYPE_CHECKING:
    from tree_sitter import Node

_ENUMS = frozenset(
    "Enum IntEnum StrEnum Flag IntFlag ReprEnum Choices TextChoices IntegerChoices".split()  # noqa: SIM905
)
_CONSTRUCTORS = frozenset({"__init__", "__new__"})
_STATIC = frozenset({"__new__"})
_CLASS_METHODS = frozenset({"__init_subclass__", "__class_getitem__"})


def decorated(walk: Walk, node: Node) -> int:
    definition = node.children[-1]
    if definition.kind_id == n.FUNCTION:
        return function(walk, definition, node)
    if definition.kind_id == n.CLASS:
        return class_(walk, definition, node)
    for child in node.named_children:
        value(walk, child)
    return -1


def function(walk: Walk, node: Node, whole: Node | None = None) -> int:
    """`def`: the symbol, its signature, its body, and what its name is bound to."""
    source = walk.source
    outer = whole or node
    parts = {child.kind_id: child for child in node.children}
    name_node = parts.get(n.IDENTIFIER)
    if name_node is None:
        return -1
    name = source.word(name_node)
    method = walk.kind == CLASS
    kind = (Kind.Constructor if name in _CONSTRUCTORS else Kind.Method) if method else Kind.Function
    before = walk.env.get(name)
    symbol = walk.define(name, kind, outer.start_byte, node.end_byte, Flag.ASYNC if n.ASYNC in parts else 0)
    fact = source.symbols[symbol]
    first = len(walk.terms)
    owner, walk.owner = walk.owner, symbol
    decoration = decorate(walk, outer, symbol) if whole is not None else Decoration()
    fact.decorators = decoration.heads
    if method:
        fact.flags |= decoration.flags
        fact.flags |= Flag.STATIC if name in _STATIC else Flag.CLASSMETHOD if name in _CLASS_METHODS else 0
        if decoration.accessor:
            fact.accessor = decoration.accessor
            fact.kind = Kind.Property
        if kind == Kind.Constructor:
            fact.drawn = walk.symbol
    fact.flags |= Flag.DECLARATION if decoration.overload or source.declaration_file else 0
    inner = Walk(source, FUNCTION, symbol, walk)
    inner.open_body(fact.qualified_name, node.start_byte)
    signature(walk, inner, node, symbol)
    walk.owned(first, symbol)
    walk.owner = owner
    finish_function(inner, node, symbol)
    term = walk.constant_term((Op.DEF, symbol))
    if decoration.callees:
        made = decoration.apply(walk, term, symbol)
        walk.effects.append([Effect.DECORATED, symbol, made])
    function_entries(walk, fact, symbol, decoration.nodes)
    bind_definition(walk, name, term, name_node.start_byte, decoration, before)
    return term


def bind_definition(walk: Walk, name: str, term: int, offset: int, decoration: Decoration, before: int | None) -> None:
    """Binds a definition to its name; overloads leave it to the implementation, property parts share it."""
    if decoration.part and before is not None:
        term = walk.union([before, term])
        walk.named.add(term)
    if decoration.overload and before is not None and walk.source.declaration_file:
        term = walk.union([before, term])
        walk.named.add(term)
    walk.bind(name, term, offset)


def signature(walk: Walk, inner: Walk, node: Node, symbol: int) -> None:
    """Parameters, their types and defaults, what is returned. Defaults belong to the scope around."""
    source = walk.source
    fact = source.symbols[symbol]
    inner.signing = True
    body: Node | None = None
    parameters: Node | None = None
    for child in node.children:
        kind = child.kind_id
        if kind == n.TYPE_PARAMETER:
            fact.type_params = type_params(inner, child, symbol)
        elif kind == n.PARAMETERS or kind == n.LAMBDA_PARAMETERS:
            parameters = child
            fact.params = read_parameters(walk, inner, child, symbol)
        elif kind == n.TYPE:
            fact.returns = plain(inner, annotation(inner, child), True)
        elif kind in n.BLOCK:
            body = child
    if source.type_comments and parameters is not None and body is not None:
        comment_types(inner, fact.params, parameters, body, symbol)
    inner.signing = False
    inner.names.clear()
    for at, param in enumerate(fact.params):
        term = inner.add(Op.PARAM, symbol, at)
        inner.params.append(term)
        if param.name:
            inner.env[param.name] = term
            inner.bound.append((param.name, term))
            inner.locals[param.name] = VARIABLE
            inner.seen.add(param.name)


def read_parameters(walk: Walk, inner: Walk, node: Node, symbol: int) -> list[ParamFact]:
    source = walk.source
    out: list[ParamFact] = []
    behind = ParamKind.NORMAL
    for child in node.children:
        kind = child.kind_id
        if kind in n.PUNCTUATION:
            continue
        if kind == n.POSITIONAL_SEPARATOR:
            for param in out:
                param.kind = ParamKind.POSITIONAL_ONLY
            continue
        if kind == n.KEYWORD_SEPARATOR:
            behind = ParamKind.KEYWORD_ONLY
            continue
        of, default, typed = behind, False, -1
        name = child
        if kind == n.TYPED_PARAMETER:
            name = child.children[0]
        elif kind in (n.DEFAULT_PARAMETER, n.TYPED_DEFAULT):
            name = child.children[0]
            default = True
        if kind in (n.TYPED_PARAMETER, n.TYPED_DEFAULT):
            types = [part for part in child.children if part.kind_id == n.TYPE]
            typed = plain(inner, annotation(inner, types[0]), True) if types else -1
        if default:
            term = value(walk, child.children[-1])
            walk.effects.append([Effect.DEFAULT, symbol, len(out), term])
        if name.kind_id == n.LIST_SPLAT_PATTERN:
            of = ParamKind.STAR
            behind = ParamKind.KEYWORD_ONLY
            name = name.children[-1]
        elif name.kind_id == n.DICT_SPLAT_PATTERN:
            of = ParamKind.DOUBLE_STAR
            name = name.children[-1]
        plain_name = source.word(name) if name.kind_id == n.IDENTIFIER else ""
        out.append(ParamFact(plain_name, of, typed, default))
    return out


def comment_types(inner: Walk, params: list[ParamFact], parameters: Node, body: Node, symbol: int) -> None:
    """`# type: (A, B) -> C` below the header, `# type: A` beside a parameter."""
    source = inner.source
    comments = source.type_comments
    first_line = source.line(parameters.start_byte)
    last_line = source.line(body.start_byte)
    fact = source.symbols[symbol]
    for line in range(first_line, last_line + 1):
        if line not in comments:
            continue
        start, text = comments[line]
        arrow = text.rfind("->")
        if text.startswith("(") and arrow > 0:
            close = text.rfind(")", 0, arrow)
            fact.returns = plain(inner, in_text(inner, start + arrow + 2, start + len(text)), True)
            found = inner.terms[in_text(inner, start, start + close + 1)] if close > 1 else []
            types: list[int] = []
            if found and found[0] == Op.LIST:
                types = found[3:]
            elif found:
                types = [in_text(inner, start + 1, start + close)]
            skip = len(params) - len(types)
            for param, typed in zip(params[skip:] if skip in (0, 1) else [], types, strict=False):
                if inner.terms[typed][0] != Op.CONST:
                    param.type = plain(inner, typed, True)
        else:
            before = source.text.rfind("\n", 0, start) + 1
            words = source.text[before:start].partition("#")[0].replace(",", " ").split()
            for param in params:
                if words and words[0].lstrip("*").partition("=")[0] == param.name:
                    param.type = plain(inner, in_text(inner, start, start + len(text)), True)


def finish_function(inner: Walk, node: Node, symbol: int) -> None:
    """Walks the body and closes its unit."""
    source = inner.source
    fact = source.symbols[symbol]
    body = node.children[-1]
    if body.kind_id in n.BLOCK:
        for name, how in scan.names(source, body).items():
            inner.locals[name] = inner.locals.get(name, 0) | how
        destructured(inner, node, symbol)
        block(inner, body)
    fact.returned_params = sorted(inner.returns_params)
    if inner.generator:
        fact.flags |= Flag.GENERATOR
    inner.finish()


def destructured(inner: Walk, node: Node, symbol: int) -> None:
    """Python 2's `def f(a, (b, c))`."""
    params = inner.source.symbols[symbol].params
    if all(param.name for param in params):
        return
    for child in node.children:
        if child.kind_id == n.PARAMETERS:
            at = 0
            for part in child.named_children:
                if part.kind_id in n.TUPLE_PATTERN and at < len(params):
                    scan.target(inner.source, part, inner.locals)
                    assign(inner, part, inner.params[at])
                at += part.kind_id not in (n.POSITIONAL_SEPARATOR, n.KEYWORD_SEPARATOR, n.COMMENT)


def lambda_(walk: Walk, node: Node) -> int:
    source = walk.source
    walk.lambdas += 1
    symbol = walk.define(f"<lambda{walk.lambdas}>", Kind.Function, node.start_byte, node.end_byte, Flag.ANONYMOUS)
    fact = source.symbols[symbol]
    fact.drawn = walk.owner if walk.owner >= 0 else source.symbols[walk.symbol].drawn
    inner = Walk(source, FUNCTION, symbol, walk)
    inner.open_body(fact.qualified_name, node.start_byte)
    signature(walk, inner, node, symbol)
    body = node.children[-1]
    if source.walrus:
        scan.walrus(source, body, inner.locals)
    term = value(inner, body)
    inner.give_back(term)
    fact.returned_params = sorted(inner.returns_params)
    if inner.generator:
        fact.flags |= Flag.GENERATOR
    inner.finish()
    return walk.constant_term((Op.DEF, symbol))


def class_(walk: Walk, node: Node, whole: Node | None = None) -> int:
    source = walk.source
    outer = whole or node
    parts = {child.kind_id: child for child in node.children}
    name_node = parts.get(n.IDENTIFIER)
    if name_node is None:
        return -1
    name = source.word(name_node)
    symbol = walk.define(name, Kind.Class, outer.start_byte, node.end_byte)
    fact = source.symbols[symbol]
    fact.flags |= Flag.DECLARATION if source.declaration_file else 0
    first = len(walk.terms)
    owner, walk.owner = walk.owner, symbol
    decoration = decorate(walk, outer, symbol) if whole is not None else Decoration()
    fact.decorators = decoration.heads
    walk.owned(first, symbol)
    walk.owner = owner
    inner = Walk(source, CLASS, symbol, walk)
    inner.open_body(fact.qualified_name, node.start_byte)
    if n.TYPE_PARAMETER in parts:
        inner.signing = True
        fact.type_params = type_params(inner, parts[n.TYPE_PARAMETER], symbol)
        inner.signing = False
        inner.names.clear()
    if n.ARGUMENTS in parts:
        bases(walk, inner, parts[n.ARGUMENTS], symbol)
    if walk.kind == MODULE:
        source.classes[name] = symbol
    if node.children[-1].kind_id in n.BLOCK:
        block(inner, node.children[-1])
    for opaque, term in members(inner):
        inner.effects.append([Effect.BIND, symbol, source.strings[opaque], term])
    inner.captured.clear()
    inner.finish()
    term = walk.constant_term((Op.DEF, symbol))
    if decoration.callees:
        made = decoration.apply(walk, term, symbol)
        walk.effects.append([Effect.DECORATED, symbol, made])
    class_entries(walk, fact, symbol, decoration.nodes)
    walk.bind(name, term, name_node.start_byte)
    return term


def bases(walk: Walk, inner: Walk, node: Node, symbol: int) -> None:
    """`(A, B[T], metaclass=M, **kw)`: bases as head terms; what they are made of is evaluated in the scope around."""
    source = walk.source
    fact = source.symbols[symbol]
    hidden = dict(walk.hidden)
    before = {name: walk.env.get(name) for name in inner.type_params}
    for name in inner.type_params:
        walk.env[name] = walk.hidden[name] = walk.constant_term((Op.TYPEPARAM, symbol, source.strings[name]))
    for child in node.children:
        kind = child.kind_id
        if kind in n.PUNCTUATION:
            continue
        if kind == n.KEYWORD_ARGUMENT:
            term = value(walk, child.children[-1])
            if source.word(child.children[0]) == "metaclass":
                fact.metaclass = plain(walk, term, True)
            continue
        if kind in (n.LIST_SPLAT, n.DICT_SPLAT):
            value(walk, child.children[-1])
            continue
        term, place = base(walk, child)
        head = plain(walk, term, True)
        fact.bases.append(head if head >= 0 else source.head_term(Op.UNKNOWN))
        fact.base_places.append(source.place(place))
        last = source.text[place : child.end_byte].partition("[")[0]
        known = walk.terms[term]
        local = known[1] if known[0] == Op.DEF else -1
        if last in _ENUMS or local in source.enums:
            source.enums.add(symbol)
            fact.kind = Kind.Enum
        if last.endswith("TestCase") or local in source.test_classes:
            source.test_classes.add(symbol)
    walk.hidden = hidden
    for name, term in before.items():
        if term is None:
            del walk.env[name]
        else:
            walk.env[name] = term


def base(walk: Walk, node: Node) -> tuple[int, int]:
    """A base and the offset of its last name token. Naming it is EXTENDS, not a reference."""
    if node.kind_id != n.SUBSCRIPT:
        return called_value(walk, node, True)
    inner, place = base(walk, node.children[0])
    keys = [annotation(walk, child) for child in node.children[1:] if child.kind_id not in n.PUNCTUATION]
    if len(keys) == 1:
        key = keys[0]
    else:
        key = walk.add(Op.LIST, walk.alloc(), walk.source.strings["tuple"], *keys)
    return walk.add(Op.ITEM, inner, key, *walk.source.place(node.start_byte)), place


VALUES = dict.fromkeys(n.LAMBDA, lambda_)
STATEMENTS = {n.FUNCTION: function, n.CLASS: class_, n.DECORATED: decorated}
