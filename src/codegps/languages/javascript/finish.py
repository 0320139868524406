"""The walk is over: members of modules, qualified names, call sites in order, and everything encoded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from codegps.languages.javascript import commonjs, entries, heads
from codegps.languages.javascript.scopes import Scope, Variable, VariableKind
from codegps.model.facts import ENCODER, Effect, FileFacts, Head, Member, Op, Unit
from codegps.model.graph import Block, Call, Imported, Local, Sites
from codegps.model.kinds import Flag

if TYPE_CHECKING:
    from codegps.languages.javascript.body import Body
    from codegps.languages.javascript.walker import Walker


def finish(w: Walker, version: str) -> FileFacts:
    for body, scope in w.namespaces:
        _members(w, body, scope)
    _members(w, w.body, w.scope)
    commonjs.finish(w)
    _decide(w)
    entries.file_routes(w)
    entries.controllers(w)
    _names(w)
    sites = _sites(w)
    units = [w.units[symbol] for symbol in sorted(w.units)]
    head = Head(
        strings=w.strings.words,
        symbols=w.symbols,
        terms=w.head,
        imports=w.imports,
        members=w.members,
        exports=w.exports,
        star_exports=w.star_exports,
        explicit_exports=w.modular or w.commonjs,
        commonjs=w.commonjs and not w.modular,
        entries=w.entries,
        diagnostics=w.diagnostics,
        lines=w.source.lines,
        unit_symbols=[unit.symbol for unit in units],
    )
    return FileFacts(
        version,
        ENCODER.encode(head),
        [ENCODER.encode(Unit(unit.symbol, unit.terms, unit.effects, unit.owners)) for unit in units],
        msgspec.msgpack.encode(sites),
    )


def _decide(w: Walker) -> None:
    """Takes away the naming of captured variables that are no definitions."""
    dropped = {id(effect): effects for effects, effect, term in w.undecided if term[0] == Op.LOCAL}
    for effects in {id(effects): effects for effects in dropped.values()}.values():
        effects[:] = [effect for effect in effects if id(effect) not in dropped]


# -- members of the module and of namespaces


def _members(w: Walker, body: Body, scope: Scope) -> None:
    """What each name of the scope stands for; what is not plain is bound by an effect."""
    saved = w.enter(body, scope)
    w.env = body.env
    namespace = scope.symbol > 0
    for name, variable in scope.names.items():
        if variable.body is not body or variable.kind == VariableKind.IMPORT:
            continue
        term = _plain(w, variable)
        exported = variable in w.exported
        symbol = variable.symbol
        if symbol >= 0 and exported:
            w.symbols[symbol].flags |= Flag.EXPORTED
        exported = exported or (symbol >= 0 and bool(w.symbols[symbol].flags & Flag.EXPORTED))
        w.members.append(
            Member(scope.symbol, name, term, symbol, variable.declared, static=namespace, exported=exported)
        )
        if term < 0:
            last = w.env.get(variable, variable.value)
            if last >= 0:
                w.effects.append([Effect.BIND, scope.symbol, w.strings[name], last])
    if not namespace:
        for name, (op, number) in scope.types.items():
            if op == Op.DEF:
                flags = w.symbols[number].flags
                term = w.head_leaf_term(Op.DEF, number)
                w.members.append(Member(0, name, term, number, exported=bool(flags & Flag.EXPORTED)))
    w.leave(saved)


def _plain(w: Walker, variable: Variable) -> int:
    """The head term of a name of a module: all that it is ever bound to, where that is plain."""
    if variable.fixed is not None and not variable.inner_writes:
        return w.head_leaf_term(*variable.fixed)
    if variable.inner_writes or not variable.assigned:
        return -1
    found: dict[int, None] = {}
    for at in dict.fromkeys(variable.assigned):
        origin = w.origins.get(at)
        term = heads.plain(w, at) if origin is None or origin is variable else heads.of_variable(w, origin)
        if term < 0:
            return -1
        found[term] = None
    terms = list(found)
    for name, at in w.additions.get(variable, ()):
        part = heads.handed(w, at)
        for term in terms:
            row = w.head[term]
            if row[0] == Op.DICT and part >= 0:
                row += [w.head_put([Op.CONST, w.strings["string"], w.strings[name]]), part]
    return terms[0] if len(terms) == 1 else w.head_put([Op.UNION, *terms])


# -- names


def _names(w: Walker) -> None:
    """Qualified names: in source order, anonymous functions are counted and repeated names numbered in their parent."""
    symbols, offsets = w.symbols, w.offsets
    order = sorted(range(1, len(symbols)), key=lambda number: (offsets[number], number))
    anonymous: dict[int, int] = {}
    repeated: dict[tuple[int, str], int] = {}
    suffix: dict[int, str] = {}
    for number in order:
        fact = symbols[number]
        if fact.flags & Flag.ANONYMOUS:
            count = anonymous[fact.parent] = anonymous.get(fact.parent, 0) + 1
            fact.name = fact.qualified_name = f"<anonymous{count}>"
            continue
        key = fact.parent, fact.qualified_name
        count = repeated[key] = repeated.get(key, 0) + 1
        if count > 1:
            suffix[number] = f"~{count}"
    whole: dict[int, str] = {0: ""}

    for start in order:
        chain: list[int] = []
        number = start
        while number not in whole and number not in chain:
            chain.append(number)
            number = symbols[number].parent
        for each in reversed(chain):
            fact = symbols[each]
            above = whole.get(fact.parent, "")
            own = fact.qualified_name + suffix.get(each, "")
            whole[each] = f"{above}.{own}" if above else own
    for number in order:
        symbols[number].qualified_name = whole[number]


# -- sites


def _place(call: tuple[int, str, str | None, list[int]]) -> int:
    row = call[3]
    return row[2] << 24 | row[3]


def _sites(w: Walker) -> Sites:
    """Owners, blocks, calls and locals in source order; CALL terms learn the number of their site."""
    symbols = w.symbols
    owners = sorted(dict.fromkeys(w.body_owners), key=lambda number: (w.offsets[number], number))
    place_of = {symbol: place for place, symbol in enumerate(owners)}
    calls: list[Call] = []
    for call in sorted(w.calls, key=_place):
        block, name, receiver, row = call
        row[4] = len(calls)
        calls.append(Call(block, name, receiver, row[2], row[3]))
    blocks = [Block(place_of[block.owner], block.parent, block.kind, block.line) for block in w.blocks]
    seen: set[tuple[int, str]] = set()
    found: list[Local] = []
    for local in sorted(w.locals, key=lambda each: each.line):
        key = local.block, local.name
        if key not in seen:
            seen.add(key)
            found.append(local)
    imports = [Imported(each.spec, each.name) for each in w.imports]
    return Sites([symbols[symbol].qualified_name for symbol in owners], blocks, calls, found, imports)
