"""Types written in comments: `/** … */` in front of JavaScript in, types of parameters, results, variables and fields
out, and the types and imports that comments declare."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from tree_sitter import Tree

from codegps import parse
from codegps.languages.javascript import functions, types
from codegps.languages.javascript.type_names import refer
from codegps.model.facts import Effect, ExportFact, ImportFact, ImportKind, Op, ParamKind
from codegps.model.kinds import EdgeKind, Kind

if TYPE_CHECKING:
    from codegps.languages.javascript.grammar import Grammar
    from codegps.languages.javascript.walker import Walker

_COMMENT: Final = re.compile(r"/\*\*(?![*/]).*?\*/", re.DOTALL)
_TAG: Final = re.compile(r"@(\w+)")
_SPACE: Final = re.compile(r"\s*")
_MARGIN: Final = re.compile(r"\n[ \t]*\*?[ \t]?")
_PARAM: Final = re.compile(r"\s*\[?\s*([\w$.]+)")
_NAME: Final = re.compile(r"[A-Za-z_$][\w$]*\Z")
_PLAIN_WORDS: Final = frozenset({"any", "unknown", "never", "void", "object", "string", "number", "boolean", "symbol"})
_OLD_FUNCTION: Final = re.compile(r"\bfunction\s*\(([^()]*)\)\s*(?::\s*([\w$.<>|\[\]]+))?")
_IMPORT: Final = re.compile(r"\s*(?:type\s+)?(?:\{([^}]*)\}|\*\s+as\s+([\w$]+)|([\w$]+))\s+from\s+['\"]([^'\"]+)['\"]")
_PREFIX: Final = "type _ = "
_KNOWN: Final = frozenset(
    {
        "param",
        "arg",
        "argument",
        "returns",
        "return",
        "type",
        "typedef",
        "callback",
        "property",
        "prop",
        "template",
        "extends",
        "augments",
        "implements",
        "import",
        "enum",
    }
)


class Tag(NamedTuple):
    """One `@word {type} rest`."""

    word: str
    type: str
    rest: str
    offset: int
    """Where the type's text starts in the file."""


class Doc:
    """The tags of one comment."""

    __slots__ = ("tags",)

    def __init__(self, tags: list[Tag]) -> None:
        self.tags = tags

    def first(self, *words: str) -> Tag | None:
        return next((tag for tag in self.tags if tag.word in words and tag.type), None)

    def type_term(self, w: Walker, head: bool = True) -> int:
        """`@type {T}`; -1 for none."""
        tag = self.first("type", "enum")
        return -1 if tag is None else build(w, tag.type, tag.offset, head, not head)

    def apply(self, w: Walker, symbol: int) -> None:
        """Gives a function the types of its parameters and its result."""
        fact = w.symbols[symbol]
        self._templates(w, symbol)
        whole = self.first("type")
        if whole is not None:
            self._signature(w, symbol, whole)
        for tag in self.tags:
            if tag.word in ("param", "arg", "argument") and tag.type:
                found = _PARAM.match(tag.rest)
                name = found[1] if found is not None else ""
                self._param(w, symbol, name, tag)
        tag = self.first("returns", "return")
        if tag is not None and fact.returns < 0:
            fact.returns = build(w, tag.type, tag.offset, True, True)

    def _param(self, w: Walker, symbol: int, name: str, tag: Tag) -> None:
        if "." in name:
            return
        params = w.symbols[symbol].params
        named = [param for param in params if param.name == name]
        if not named:
            place = sum(
                1 for each in self.tags[: self.tags.index(tag)] if each.word == "param" and "." not in each.rest
            )
            named = [params[place]] if place < len(params) and not params[place].name else []
        for param in named:
            text = tag.type
            if text.startswith("...") and param.kind == ParamKind.STAR:
                text = f"({text[3:]})[]"
            if param.type < 0:
                param.type = build(w, text, tag.offset, True, True)

    def _signature(self, w: Walker, symbol: int, tag: Tag) -> None:
        """`@type {(x: A) => B}` in front of a function."""
        functions.contextual(w, symbol, build(w, tag.type, tag.offset, True, True))

    def _templates(self, w: Walker, symbol: int) -> None:
        names: list[str] = []
        for tag in self.tags:
            if tag.word == "template":
                names += re.findall(r"[A-Za-z_$][\w$]*", tag.rest.split("\n")[0].split("-")[0])
        if names:
            w.symbols[symbol].type_params = names
            for name in names:
                w.scope.types[name] = (Op.TYPEPARAM, symbol)

    def apply_class(self, w: Walker, symbol: int) -> None:
        """`@template T`, `@extends {Base<T>}`, `@implements {I}`."""
        self._templates(w, symbol)
        fact = w.symbols[symbol]
        tag = self.first("extends", "augments")
        if tag is not None and len(fact.bases) == 1:
            fact.bases = [build(w, tag.type, tag.offset, True, False)]
        for tag in self.tags:
            if tag.word == "implements" and tag.type:
                fact.implements = [*fact.implements, build(w, tag.type, tag.offset, True, False)]
                fact.base_places = [*fact.base_places, w.place(tag.offset)]


class Docs:
    """All comments of a file that say something of types, by what they stand in front of."""

    def __init__(self, text: str) -> None:
        self.before: dict[int, Doc] = {}
        """Offset of the code behind a comment to it."""
        self.all: list[tuple[int, int, Doc]] = []
        """Start, end and tags of each."""
        for match in _COMMENT.finditer(text):
            body = match[0]
            if "@" not in body:
                continue
            tags = _tags(body, match.start())
            if not tags:
                continue
            doc = Doc(tags)
            space = _SPACE.match(text, match.end())
            after = match.end() if space is None else space.end()
            self.before[after] = doc
            self.all.append((match.start(), match.end(), doc))

    def at(self, offset: int) -> Doc | None:
        return self.before.get(offset)


def documented(text: str) -> Docs | None:
    """None where no comment says anything of types."""
    if "/**" not in text:
        return None
    docs = Docs(text)
    return docs if docs.all else None


def _tags(body: str, start: int) -> list[Tag]:
    found: list[Tag] = []
    marks = [match for match in _TAG.finditer(body) if match[1] in _KNOWN]
    for number, match in enumerate(marks):
        end = marks[number + 1].start() if number + 1 < len(marks) else len(body) - 2
        at = match.end()
        while at < end and body[at] in " \t\r\n*":
            at += 1
        text = ""
        offset = start + at
        if at < end and body[at] == "{" and match[1] != "import":
            close = _closing(body, at, len(body) - 2)
            if close < 0:
                continue
            text = _MARGIN.sub(" ", body[at + 1 : close]).strip()
            offset = start + at + 1
            at = close + 1
        found.append(Tag(match[1], text, _MARGIN.sub("\n", body[at:end]), offset))
    return found


def _closing(body: str, at: int, end: int) -> int:
    depth = 0
    for place in range(at, end):
        char = body[place]
        if char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if not depth:
                return place
    return -1


# -- types in comments


@lru_cache(maxsize=512)
def _parsed(text: str) -> Tree:
    code = _PREFIX + text
    narrow = code.encode("ascii", "replace").replace(b"?", b"a") if not code.isascii() else code.encode()
    return parse.parse("typescript", narrow)


def build(w: Walker, text: str, offset: int, head: bool, uses: bool) -> int:
    """The term of a type's text; `uses`: its names are uses of types."""
    text = _modern(text)
    if _NAME.match(text) and text not in _PLAIN_WORDS:
        if uses:
            _refer(w, text, offset)
        return types.named(w, text, head)
    outer: tuple[str, int, Grammar] = (w.text, w.shift, w.grammar)
    root = _parsed(text).root_node
    statement = next(iter(root.named_children), None)
    w.use(w.typed_grammar())
    w.text, w.shift = _PREFIX + text, offset - len(_PREFIX)
    value = None if statement is None or root.has_error else statement.child_by_field_id(w.fields["value"])
    if value is not None:
        if uses:
            refer(w, value)
        term = types.term(w, value, head)
    else:
        term = w.head_unknown() if head else w.unknown()
    w.text, w.shift = outer[0], outer[1]
    w.use(outer[2])
    return term


def _refer(w: Walker, name: str, offset: int) -> None:
    found = types.find(w, name)
    if (w.find(name) is None) if found is None else (found[0] == Op.TYPEPARAM):
        return
    op, arg = found or (Op.NAME, w.strings[name])
    line, column = w.place(offset)
    w.effects.append([Effect.REFER, w.leaf_term(op, arg), EdgeKind.USES_TYPE, line, column])


def _modern(text: str) -> str:
    """The spelling of today."""
    text = text.strip()
    if text.startswith(("?", "!")):
        text = text[1:]
    text = text.removesuffix("=")
    if text in ("*", ""):
        return "any"
    if text.startswith("..."):
        text = text[3:]
    text = text.replace(".<", "<")
    if "function" in text:
        text = _OLD_FUNCTION.sub(_arrow, text)
    return re.sub(r"\bObject(?=<[^<>]*,)", "Record", text)


def _arrow(match: re.Match[str]) -> str:
    given = [part.strip() for part in match[1].split(",") if part.strip()]
    params = ", ".join(f"a{number}: {part.lstrip('?!.').rstrip('=')}" for number, part in enumerate(given))
    return f"(({params}) => {match[2] or 'any'})"


# -- types that comments declare


def declare(w: Walker, docs: Docs) -> None:
    """`@typedef`, `@callback` and `@import`, in the scope of the module."""
    for start, end, doc in docs.all:
        for number, tag in enumerate(doc.tags):
            if tag.word == "import":
                _import(w, tag)
            elif tag.word in ("typedef", "callback"):
                _declare(w, doc, number, tag, start, end)


def _declare(w: Walker, doc: Doc, number: int, tag: Tag, start: int, end: int) -> None:
    name = re.match(r"\s*([A-Za-z_$][\w$]*)", tag.rest)
    if name is None or name[1] in w.scope.types:
        return
    symbol = w.symbol(Kind.TypeAlias, name[1], 0, start, end)
    w.scope.types[name[1]] = (Op.DEF, symbol)
    w.typedefs.append((symbol, doc, number))
    w.exports.append(ExportFact(name[1], w.head_leaf_term(Op.DEF, symbol), w.symbols[symbol].start_line))


def define(w: Walker) -> None:
    """What the declared types stand for, once all names are known."""
    for symbol, doc, number in w.typedefs:
        tag = doc.tags[number]
        parts: list[Tag] = []
        for each in doc.tags[number + 1 :]:
            if each.word in ("typedef", "callback", "import"):
                break
            parts.append(each)
        if tag.word == "callback":
            term = _callback(w, parts)
        elif any(each.word in ("property", "prop") for each in parts):
            term = _object(w, parts)
        else:
            term = build(w, tag.type, tag.offset, True, True) if tag.type else w.head_unknown()
        w.symbols[symbol].alias = term


def _callback(w: Walker, parts: list[Tag]) -> int:
    row = [Op.FUNCTYPE, -1]
    for each in parts:
        if each.word in ("returns", "return") and each.type:
            row[1] = build(w, each.type, each.offset, True, True)
        elif each.word == "param" and each.type and "." not in each.rest.split("\n")[0].split(" ")[0]:
            row.append(build(w, each.type, each.offset, True, True))
    return w.head_put(row)


def _object(w: Walker, parts: list[Tag]) -> int:
    row = [Op.OBJTYPE]
    for each in parts:
        name = _PARAM.match(each.rest)
        if each.word in ("property", "prop") and each.type and name is not None and "." not in name[1]:
            row += [w.strings[name[1]], build(w, each.type, each.offset, True, True)]
    return w.head_put(row)


def _import(w: Walker, tag: Tag) -> None:
    """`@import { A, B as C } from "m"`."""
    found = _IMPORT.match(tag.rest)
    if found is None:
        return
    spec = found[4]
    if found[1] is not None:
        for part in found[1].split(","):
            words = part.replace("\n", " ").split()
            words = words[1:] if words[:1] == ["type"] and len(words) in (2, 4) else words
            if words:
                _bind(w, tag, words[-1], ImportKind.NAME, spec, words[0])
    elif found[2] is not None:
        _bind(w, tag, found[2], ImportKind.MODULE, spec, "")
    else:
        _bind(w, tag, found[3], ImportKind.DEFAULT, spec, "")


def _bind(w: Walker, tag: Tag, local: str, kind: int, spec: str, name: str) -> None:
    if local in w.scope.names or local in w.scope.types:
        return
    line, column = w.place(tag.offset)
    w.imports.append(ImportFact(kind, spec, name, line, column, True))
    w.scope.types[local] = (Op.IMPORT, len(w.imports) - 1)
