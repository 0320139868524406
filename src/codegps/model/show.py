"""`FileFacts` in, text that people can read out: for tests and for whoever looks into the solver."""

from __future__ import annotations

from codegps.model.facts import HEAD, UNIT, Arg, Effect, FileFacts, Head, ImportKind, Op, ParamKind, Unit
from codegps.model.kinds import EdgeKind, Flag, Kind

_OPS = {number: name for name, number in vars(Op).items() if isinstance(number, int)}
_EFFECTS = {number: name for name, number in vars(Effect).items() if isinstance(number, int)}
_IMPORTS = {number: name for name, number in vars(ImportKind).items() if isinstance(number, int)}
_FLAGS = {name: number for name, number in vars(Flag).items() if isinstance(number, int)}

# Per operation what each operand is: t term, s string, y symbol, n number, i import; `*` repeats what follows it.
FORMS: dict[int, str] = {
    Op.CONST: "ss",
    Op.DEF: "y",
    Op.PARAM: "yn",
    Op.LOCAL: "ys",
    Op.NAME: "s",
    Op.IMPORT: "i",
    Op.ATTR: "tsnnnn",
    Op.ITEM: "ttnn",
    Op.SLICE: "tnn*t",
    Op.ELEM: "tnnn",
    Op.UNPACK: "tnn",
    Op.LIST: "ns*t",
    Op.DICT: "ns*tt",
    Op.UNION: "*t",
    Op.AWAIT: "tnn",
    Op.YIELD: "t",
    Op.YIELD_FROM: "tnn",
    Op.OPER: "sttnn",
    Op.SUPER: "yt",
    Op.TYPED: "tt",
    Op.NARROW: "ttn",
    Op.THIS: "y",
    Op.ENTER: "tnnn",
    Op.SPREAD: "t",
    Op.FUNCTYPE: "*t",
    Op.OBJTYPE: "*st",
    Op.KEYOF: "ts",
    Op.TYPEOF: "t",
    Op.INSTANCE: "t",
    Op.BUILTIN: "s",
    Op.TUPLETYPE: "*t",
    Op.ARRAYTYPE: "t",
    Op.TYPEPARAM: "ys",
    Op.INTERSECT: "*t",
}
EFFECT_FORMS: dict[int, str] = {
    Effect.BIND: "yst",
    Effect.STORE: "tstnn",
    Effect.PUT: "tttnn",
    Effect.RETURN: "t",
    Effect.YIELD: "t",
    Effect.REFER: "tknn",
    Effect.RAISE: "tnn",
    Effect.DEFAULT: "ynt",
    Effect.DELETE: "ttnn",
    Effect.DECORATED: "yt",
    Effect.THROWN: "t",
}


class _Shower:
    def __init__(self, head: Head, terms: list[list[int]]) -> None:
        self.head = head
        self.terms = terms

    def string(self, number: int) -> str:
        return self.head.strings[number] if number >= 0 else "-"

    def symbol(self, number: int) -> str:
        return (self.head.symbols[number].qualified_name or "<file>") if number >= 0 else "-"

    def operand(self, form: str, number: int) -> str:
        if form == "t":
            return f"%{number}" if number >= 0 else "-"
        if form == "s":
            return self.string(number)
        if form == "y":
            return self.symbol(number)
        if form == "i":
            found = self.head.imports[number]
            return f"{_IMPORTS[found.kind]} {found.spec}" + (f":{found.name}" if found.name else "")
        return EdgeKind(number).name if form == "k" else str(number)

    def operands(self, forms: str, numbers: list[int]) -> str:
        fixed, _, repeated = forms.partition("*")
        shown = [self.operand(form, number) for form, number in zip(fixed, numbers, strict=False)]
        rest = numbers[len(fixed) :]
        shown += [self.operand(repeated[at % len(repeated)], number) for at, number in enumerate(rest)]
        return " ".join(shown)

    def term(self, term: list[int]) -> str:
        if term[0] != Op.CALL:
            return f"{_OPS[term[0]]} {self.operands(FORMS.get(term[0], ''), term[1:])}".rstrip()
        callee, line, column, site, flags = term[1:6]
        shown: list[str] = []
        for at in range(6, len(term), 3):
            kind, name, value = term[at : at + 3]
            mark = {Arg.STAR: "*", Arg.DOUBLE_STAR: "**", Arg.KEYWORD: f"{self.string(name)}="}.get(kind, "")
            shown.append(f"{mark}%{value}")
        text = f"CALL %{callee}({', '.join(shown)}) @{line}:{column}"
        return text + (f" site {site}" if site >= 0 else "") + (f" flags {flags}" if flags else "")

    def effect(self, effect: list[int]) -> str:
        return f"{_EFFECTS[effect[0]]} {self.operands(EFFECT_FORMS[effect[0]], effect[1:])}"

    def tree(self, number: int, depth: int = 0) -> str:
        """A head term in one line, operands inside."""
        if number < 0:
            return "-"
        term = self.terms[number]
        if depth > 8:
            return "…"
        if term[0] == Op.CALL:
            inner = [self.tree(term[1], depth + 1)]
            inner += [self.tree(term[at + 2], depth + 1) for at in range(6, len(term), 3)]
            return f"CALL({', '.join(inner)})"
        fixed, _, repeated = FORMS.get(term[0], "").partition("*")
        forms = fixed + repeated * len(term)
        shown = [
            self.tree(value, depth + 1) if form == "t" else self.operand(form, value)
            for form, value in zip(forms, term[1:], strict=False)
            if form not in "n"
        ]
        return f"{_OPS[term[0]]}({', '.join(shown)})"


def _symbols(shower: _Shower) -> list[str]:
    out: list[str] = []
    for number, symbol in enumerate(shower.head.symbols):
        flags = "".join(f" {name}" for name, bit in _FLAGS.items() if symbol.flags & bit)
        span = f"{symbol.start_line}:{symbol.start_column}-{symbol.end_line}:{symbol.end_column}"
        drawn = "" if symbol.drawn == number else f" drawn {shower.symbol(symbol.drawn)}"
        text = f"{number} {Kind(symbol.kind).name} {symbol.qualified_name or '<file>'} {span}{flags}{drawn}"
        if symbol.params or symbol.returns >= 0:
            marks = {ParamKind.STAR: "*", ParamKind.DOUBLE_STAR: "**"}
            text += " (" + ", ".join(
                marks.get(p.kind, "")
                + p.name
                + (f": {shower.tree(p.type)}" if p.type >= 0 else "")
                + (" = …" if p.default else "")
                for p in symbol.params
            )
            text += ")" + (f" -> {shower.tree(symbol.returns)}" if symbol.returns >= 0 else "")
        for label, terms in (
            ("bases", symbol.bases),
            ("implements", symbol.implements),
            ("decorators", symbol.decorators),
        ):
            text += f" {label} {', '.join(map(shower.tree, terms))}" if terms else ""
        for label in ("metaclass", "alias", "declared"):
            number = getattr(symbol, label)
            text += f" {label} {shower.tree(number)}" if number >= 0 else ""
        text += f" accessor {symbol.accessor}" if symbol.accessor else ""
        text += f" type_params {' '.join(symbol.type_params)}" if symbol.type_params else ""
        text += f" returned_params {symbol.returned_params}" if symbol.returned_params else ""
        out.append(text)
    return out


def show_head(head: Head) -> str:
    shower = _Shower(head, head.terms)
    out = ["symbols:", *_symbols(shower)]
    if head.imports:
        out.append("imports:")
        for number, found in enumerate(head.imports):
            out.append(f"{number} {shower.operand('i', number)} @{found.line}:{found.column}")
    if head.members:
        out.append("members:")
        for member in head.members:
            text = f"{shower.symbol(member.scope)} . {member.name} = {shower.tree(member.term)}"
            text += f" symbol {shower.symbol(member.symbol)}" if member.symbol >= 0 else ""
            text += f" type {shower.tree(member.type)}" if member.type >= 0 else ""
            out.append(text + (" instance" if member.instance else "") + (" static" if member.static else ""))
    if head.stars:
        out.append(f"stars: {head.stars}")
    if head.all_names is not None:
        out.append(f"all: {' '.join(head.all_names)}")
    for export in head.exports:
        out.append(f"export {export.name} = {shower.tree(export.term)}")
    for entry in head.entries:
        out.append(f"entry {entry.kind} {entry.key} {shower.symbol(entry.symbol)} {shower.tree(entry.target)}")
    for diagnostic in head.diagnostics:
        out.append(f"diagnostic {diagnostic.line}: {diagnostic.message}")
    return "\n".join(out)


def show_unit(head: Head, unit: Unit) -> str:
    shower = _Shower(head, unit.terms)
    out = [f"unit {shower.symbol(unit.symbol)}:"]
    out += [f"  %{number} {shower.term(term)}" for number, term in enumerate(unit.terms)]
    out += [f"  {shower.effect(effect)}" for effect in unit.effects]
    out += [f"  owner %{first}..%{end} {shower.symbol(symbol)}" for first, end, symbol in unit.owners]
    return "\n".join(out)


def show(facts: FileFacts) -> str:
    """All of a file's facts: symbols, imports, members, then each unit's terms and effects."""
    head = HEAD.decode(facts.head)
    return "\n".join([show_head(head), *(show_unit(head, UNIT.decode(unit)) for unit in facts.units)])
