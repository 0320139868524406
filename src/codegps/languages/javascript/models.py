"""What JavaScript's library does with the functions and containers it is given: tables for the solver."""

from __future__ import annotations

from codegps.language import Model

ARG0: Model = ("arg", 0)
ARG1: Model = ("arg", 1)
ARG2: Model = ("arg", 2)
RECV: Model = ("recv",)
ELEM: Model = ("elem", RECV)
NOTHING: Model = ("nothing",)


def _call(function: Model, *args: Model) -> Model:
    return ("call", function, args)


def _give(expression: Model) -> Model:
    return ("return", expression)


RESULT: Model = ("result", 0)
EACH: Model = ("call", ARG0, (ELEM, NOTHING, RECV), ARG1)
ANY: Model = ("call", ARG0, (), ARG1)

_ARRAY: dict[str, Model] = {
    "forEach": (EACH,),
    "map": (EACH, _give(("list", RESULT))),
    "filter": (EACH, _give(("list", ELEM))),
    "find": (EACH, _give(ELEM)),
    "findLast": (EACH, _give(ELEM)),
    "findIndex": (EACH,),
    "findLastIndex": (EACH,),
    "some": (EACH,),
    "every": (EACH,),
    "flatMap": (EACH, _give(("list", ("elem", RESULT))), _give(("list", RESULT))),
    "flat": (_give(("list", ("elem", ELEM))), _give(("list", ELEM))),
    "reduce": (
        _call(ARG0, ARG1, ELEM, NOTHING, RECV),
        _call(ARG0, RESULT, ELEM, NOTHING, RECV),
        _give(RESULT),
        _give(ARG1),
    ),
    "reduceRight": (_call(ARG0, ARG1, ELEM, NOTHING, RECV), _give(RESULT), _give(ARG1)),
    "sort": (_call(ARG0, ELEM, ELEM), _give(RECV)),
    "toSorted": (_call(ARG0, ELEM, ELEM), _give(("list", ELEM))),
    "reverse": (_give(RECV),),
    "slice": (_give(("list", ELEM)),),
    "splice": (_give(("list", ELEM)),),
    "concat": (_give(("list", ELEM)), _give(("list", ("elem", ("rest", 0)))), _give(("list", ("rest", 0)))),
    "push": (("put", RECV, ("rest", 0)),),
    "unshift": (("put", RECV, ("rest", 0)),),
    "pop": (_give(ELEM),),
    "shift": (_give(ELEM),),
    "at": (_give(ELEM),),
    "fill": (("put", RECV, ARG0), _give(RECV)),
    "values": (_give(("list", ELEM)),),
    "entries": (_give(("list", ("pair", NOTHING, ELEM))),),
}

_SET: dict[str, Model] = {
    "add": (("put", RECV, ARG0), _give(RECV)),
    "forEach": (EACH,),
    "values": (_give(("list", ELEM)),),
    "keys": (_give(("list", ELEM)),),
}

_MAP: dict[str, Model] = {
    "get": (_give(("item", RECV, ARG0)),),
    "set": (("set", RECV, ARG0, ARG1), _give(RECV)),
    "forEach": (_call(ARG0, ("value", RECV), NOTHING, RECV),),
    "values": (_give(("list", ("value", RECV))),),
    "keys": (_give(("list", ("key", RECV))),),
    "entries": (_give(("list", ("pair", ("key", RECV), ("value", RECV)))),),
}

_PROMISE: dict[str, Model] = {
    "then": (
        _call(ARG0, ("awaited", RECV)),
        _call(ARG1, NOTHING),
        _give(("promise", ("awaited", RESULT))),
        _give(("promise", ("awaited", ("result", 1)))),
    ),
    "catch": (_call(ARG0, NOTHING), _give(RECV), _give(("promise", ("awaited", RESULT)))),
    "finally": (_call(ARG0), _give(RECV)),
}

_FUNCTION: dict[str, Model] = {
    "call": (("invoke", RECV, ARG0, 1), _give(RESULT)),
    "apply": (("apply", RECV, ARG0, ARG1), _give(RESULT)),
    "bind": (_give(("bound", RECV)),),
}

_STRING: dict[str, Model] = {
    **dict.fromkeys(
        [
            "at",
            "charAt",
            "concat",
            "normalize",
            "padEnd",
            "padStart",
            "repeat",
            "slice",
            "substr",
            "substring",
            "toLocaleLowerCase",
            "toLocaleUpperCase",
            "toLowerCase",
            "toUpperCase",
            "toString",
            "trim",
            "trimEnd",
            "trimStart",
        ],
        (_give(("instance", "String")),),
    ),
    "split": (_give(("list", ("instance", "String"))),),
    "replace": (_call(ARG1), _give(("instance", "String"))),
    "replaceAll": (_call(ARG1), _give(("instance", "String"))),
}

_EMITTERS = " ".join(
    [
        "emitter EventEmitter",
        *(f"{each} {each}.default {each}.EventEmitter" for each in ("events", "node:events", "eventemitter3")),
    ]
)
_EMITTER: dict[str, Model] = {
    **dict.fromkeys(
        ("on", "once", "addListener", "prependListener", "prependOnceListener"),
        (("listen", RECV, ARG0, ARG1), _give(RECV)),
    ),
    "emit": (("fire", RECV, ARG0, 1),),
}
_EVENTS: Model = (_call(ARG1), _give(RECV))
_LATER: Model = (_call(ARG0, ARG2, ("arg", 3)),)


def _under(prefixes: str, table: dict[str, Model]) -> dict[str, Model]:
    return {f"{prefix}.{name}": model for prefix in prefixes.split() for name, model in table.items()}


MODELS: dict[str, Model] = {
    **_under("Array list tuple Array.prototype", _ARRAY),
    **_under("Set", _SET),
    **_under("Map dict", _MAP),
    **_under("Promise promise", _PROMISE),
    **_under("function", _FUNCTION),
    **_under(
        "process document window Element EventTarget",
        dict.fromkeys(("on", "once", "addListener", "prependListener", "addEventListener"), _EVENTS),
    ),
    **{f"*.{name}": model for name, model in _PROMISE.items()},
    **dict.fromkeys(
        (f"*.{name}" for name in ("forEach", "map", "filter", "some", "every", "flatMap", "findIndex")), (ANY,)
    ),
    **{f"*.{name}": _EVENTS for name in ("on", "once", "addListener", "addEventListener")},
    **_under(_EMITTERS, _EMITTER),
    **dict.fromkeys(_EMITTERS.split()[1:], (_give(("emitter",)),)),
    "list.add": _SET["add"],
    "Array.from": (
        _call(ARG1, ("elem", ARG0)),
        _give(("list", ("elem", ARG0))),
        _give(("list", RESULT)),
    ),
    "Array.of": (_give(("list", ("rest", 0))),),
    "Array": (_give(("list", ("rest", 0))),),
    "Set": (_give(("set", ("elem", ARG0))),),
    "WeakSet": (_give(("set", ("elem", ARG0))),),
    "Map": (_give(("mapping",)),),
    "WeakMap": (_give(("dict", NOTHING, NOTHING)),),
    "Promise": (_call(ARG0, ("resolver", 0), NOTHING), _give(("resolved", 0))),
    "promise.resolver": (("put", RECV, ("awaited", ARG0)),),
    "Promise.resolve": (_give(("promise", ("awaited", ARG0))),),
    "Promise.all": (_give(("promise", ("list", ("awaited", ("elem", ARG0))))),),
    "Promise.allSettled": (_give(("promise", ("list", ("awaited", ("elem", ARG0))))),),
    "Promise.race": (_give(("promise", ("awaited", ("elem", ARG0)))),),
    "Promise.any": (_give(("promise", ("awaited", ("elem", ARG0)))),),
    "Object.assign": (("merge", ARG0, ("rest", 1)), _give(ARG0)),
    "Object.create": (_give(("inherit", ARG0)),),
    "Object.setPrototypeOf": (("merge", ARG0, ARG1), _give(ARG0)),
    "Object.keys": (_give(("list", ("instance", "String"))),),
    "Object.getOwnPropertyNames": (_give(("list", ("instance", "String"))),),
    "Object.freeze": (_give(ARG0),),
    "Object.seal": (_give(ARG0),),
    "Object.values": (_give(("list", ("value", ARG0))),),
    "Object.entries": (_give(("list", ("pair", NOTHING, ("value", ARG0)))),),
    "Object.fromEntries": (_give(("dict", NOTHING, ("item", ("elem", ARG0), 1))),),
    "Reflect.apply": (("apply", ARG0, ARG1, ARG2), _give(RESULT)),
    "Reflect.construct": (_give(("construct", ARG0)),),
    "JSON.stringify": (_call(ARG1, NOTHING, ARG0), _give(("instance", "String"))),
    "JSON.parse": (_call(ARG1),),
    "structuredClone": (_give(ARG0),),
    "setTimeout": _LATER,
    "setInterval": _LATER,
    "setImmediate": _LATER,
    "queueMicrotask": _LATER,
    "requestAnimationFrame": _LATER,
    "process.nextTick": (_call(ARG0, ARG1, ARG2),),
    **_under("String string", _STRING),
    "util.promisify": (_give(ARG0),),
}

TYPE_MODELS: dict[str, str] = {
    **dict.fromkeys(
        ["Array", "ReadonlyArray", "Set", "ReadonlySet", "Iterable", "Iterator", "IterableIterator"], "list"
    ),
    **dict.fromkeys(["AsyncIterable", "AsyncIterator", "AsyncIterableIterator", "WeakSet", "ArrayLike"], "list"),
    **dict.fromkeys(["Generator", "AsyncGenerator"], "list"),
    **dict.fromkeys(["Map", "ReadonlyMap", "WeakMap", "Record"], "dict"),
    **dict.fromkeys(["Promise", "PromiseLike", "Thenable"], "promise"),
    **dict.fromkeys(
        ["Partial", "Required", "Readonly", "NonNullable", "Pick", "Omit", "Exclude", "Extract", "Awaited", "NoInfer"],
        "final",
    ),
    "ReturnType": "returntype",
    "InstanceType": "instancetype",
    "Function": "callable",
    "any": "any",
    "unknown": "any",
    "never": "any",
    "object": "any",
    "Object": "any",
    "void": "any",
}
