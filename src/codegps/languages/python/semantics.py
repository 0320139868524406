"""How Python behaves, as far as the solver must know: tables only."""

from __future__ import annotations

from codegps.language import Model, Semantics

ARG0: Model = ("arg", 0)
ARG1: Model = ("arg", 1)
ARG2: Model = ("arg", 2)
RECV: Model = ("recv",)


def _call(function: Model, *args: Model) -> Model:
    return ("call", function, args)


def _give(expression: Model) -> Model:
    return ("return", expression)


def _method(value: Model, *names: str) -> Model:
    return ("method", value, names)


def _many(names: str, model: Model) -> dict[str, Model]:
    return dict.fromkeys(names.split(), model)


_SAME: Model = (_give(("list", ("elem", ARG0))),)
_KEYED: Model = (
    _call(("kw", "key"), ("elem", ARG0)),
    _give(("list", ("elem", ARG0))),
)
_ONE: Model = (
    _call(("kw", "key"), ("elem", ARG0)),
    _call(("kw", "key"), ("rest", 0)),
    _give(("elem", ARG0)),
    _give(("rest", 0)),
    _give(("kw", "default")),
)
_TARGET: Model = (_call(("kw", "target", 1), ("elem", ("kw", "args", 3))), _give(("instance", "threading.Thread")))
_SUBMIT: Model = (
    ("call", ARG0, (ARG1, ARG2, ("arg", 3), ("arg", 4))),
    _give(("promise", ("result", 0))),
)
_APPEND: Model = (("put", RECV, ARG0),)
_EXTEND: Model = (("put", RECV, ("elem", ARG0)),)
_COPY: Model = (_give(RECV),)
_GET: Model = (_give(("item", RECV, ARG0)), _give(ARG1))
_POP: Model = (_give(("elem", RECV)),)

_TEXT = """capitalize casefold center expandtabs format_map join ljust lower lstrip removeprefix removesuffix replace
rjust rstrip strip swapcase title translate upper zfill"""
"""Methods of strings that make strings."""

MODELS: dict[str, Model] = {
    "builtins.map": (
        _call(ARG0, ("elem", ARG1), ("elem", ARG2), ("elem", ("arg", 3))),
        _give(("list", ("result", 0))),
    ),
    "builtins.filter": (_call(ARG0, ("elem", ARG1)), _give(("list", ("elem", ARG1)))),
    "builtins.sorted": (*_KEYED, _method(("elem", ARG0), "__lt__")),
    "builtins.min": (*_ONE, _method(("elem", ARG0), "__lt__"), _method(("rest", 0), "__lt__")),
    "builtins.max": (*_ONE, _method(("elem", ARG0), "__gt__"), _method(("rest", 0), "__gt__")),
    "builtins.len": (_method(ARG0, "__len__"), _give(("instance", "builtins.int"))),
    "builtins.str": (_method(ARG0, "__str__", "__repr__"), _give(("instance", "builtins.str"))),
    "builtins.repr": (_method(ARG0, "__repr__"), _give(("instance", "builtins.str"))),
    "builtins.format": (_method(ARG0, "__format__", "__str__", "__repr__"), _give(("instance", "builtins.str"))),
    "builtins.print": (_method(("rest", 0), "__str__", "__repr__"),),
    "builtins.bool": (_method(ARG0, "__bool__", "__len__"), _give(("instance", "builtins.bool"))),
    "builtins.int": (_method(ARG0, "__int__", "__index__"), _give(("instance", "builtins.int"))),
    "builtins.float": (_method(ARG0, "__float__", "__index__"), _give(("instance", "builtins.float"))),
    "builtins.bytes": (_method(ARG0, "__bytes__"), _give(("instance", "builtins.bytes"))),
    "builtins.hash": (_method(ARG0, "__hash__"), _give(("instance", "builtins.int"))),
    "builtins.abs": (_method(ARG0, "__abs__"), _give(("result", 0))),
    "builtins.round": (_method(ARG0, "__round__"), _give(("result", 0))),
    "builtins.getattr": (_give(("attribute", ARG0, ARG1)), _give(ARG2)),
    "builtins.type": (_give(("class", ARG0)),),
    "builtins.str.format": (_method(("rest", 0), "__format__", "__str__"), _give(("instance", "builtins.str"))),
    "operator.attrgetter": (_give(("made", "operator.attrgetter.of", ARG0)),),
    "operator.attrgetter.of": (_give(("attribute", ARG0, RECV)),),
    "operator.itemgetter": (_give(("made", "operator.itemgetter.of", ARG0)),),
    "operator.itemgetter.of": (_give(("item", ARG0, RECV)),),
    "operator.methodcaller": (_give(("made", "operator.methodcaller.of", ARG0)),),
    "operator.methodcaller.of": (("method", ARG0, "literal"), _give(("result", 0))),
    "typing.NewType.__call__": (_give(ARG0),),
    "typing_extensions.NewType.__call__": (_give(ARG0),),
    "collections.namedtuple": (_give(("made", "collections.namedtuple.of", ARG1)),),
    "collections.namedtuple.of": (_give(("record",)),),
    "builtins.next": (_method(ARG0, "__next__"), _give(("result", 0)), _give(("inside", ARG0)), _give(ARG1)),
    "builtins.iter": _SAME,
    "builtins.list": _SAME,
    "builtins.tuple": _SAME,
    "builtins.set": _SAME,
    "builtins.frozenset": _SAME,
    "builtins.reversed": (_method(ARG0, "__reversed__"), *_SAME),
    "builtins.enumerate": (_give(("list", ("pair", ("nothing",), ("elem", ARG0)))),),
    "builtins.zip": (_give(("list", ("pair", ("elem", ARG0), ("elem", ARG1), ("elem", ARG2), ("elem", ("arg", 3))))),),
    "builtins.dict": (_give(("mapping",)),),
    "builtins.dict.fromkeys": (_give(("dict", ("nothing",), ARG1)),),
    "builtins.property": (_give(("wrapped", "property", (("kw", "fget", 0), ("kw", "fset", 1)))),),
    "builtins.sum": (_method(("elem", ARG0), "__add__", "__radd__"), _give(("elem", ARG0))),
    "builtins.classmethod": (_give(("wrapped", "classmethod", (ARG0,))),),
    "builtins.staticmethod": (_give(("wrapped", "static", (ARG0,))),),
    "functools.partial": (_give(("partial", ARG0)),),
    "functools.partialmethod": (_give(("partial", ARG0)),),
    "functools.reduce": (
        _call(ARG0, ("elem", ARG1), ("elem", ARG1)),
        _call(ARG0, ARG2, ("elem", ARG1)),
        _give(("result", 0)),
        _give(("result", 1)),
    ),
    "functools.wraps": (_give(("instance", "functools.wraps")),),
    "functools.wraps.__call__": (_give(ARG0),),
    "functools.update_wrapper": (_give(ARG0),),
    "functools.cmp_to_key": (_call(ARG0), _give(ARG0)),
    "itertools.chain": (_give(("list", ("elem", ("rest", 0)))),),
    "itertools.chain.from_iterable": (_give(("list", ("elem", ("elem", ARG0)))),),
    "itertools.cycle": _SAME,
    "itertools.islice": _SAME,
    "itertools.takewhile": (_call(ARG0, ("elem", ARG1)), _give(("list", ("elem", ARG1)))),
    "itertools.dropwhile": (_call(ARG0, ("elem", ARG1)), _give(("list", ("elem", ARG1)))),
    "itertools.filterfalse": (_call(ARG0, ("elem", ARG1)), _give(("list", ("elem", ARG1)))),
    "itertools.starmap": (("apply", ARG0, ("nothing",), ("elem", ARG1)), _give(("list", ("result", 0)))),
    "itertools.groupby": (_call(("kw", "key", 1), ("elem", ARG0)),),
    "itertools.repeat": (_give(("list", ARG0)),),
    "copy.copy": (_give(ARG0),),
    "copy.deepcopy": (_give(ARG0),),
    "typing.cast": (_give(ARG1),),
    "weakref.ref": (_give(("nothing",)),),
    "weakref.proxy": (_give(ARG0),),
    "contextlib.closing": (_give(ARG0),),
    "contextlib.nullcontext": (_give(ARG0),),
    "contextlib.ExitStack.enter_context": (_give(ARG0),),
    "contextlib.ExitStack.callback": (_call(ARG0, ARG1, ARG2),),
    "atexit.register": (_call(ARG0, ARG1, ARG2), _give(ARG0)),
    "signal.signal": (_call(ARG1),),
    "threading.Thread": _TARGET,
    "multiprocessing.Process": _TARGET,
    "threading.Timer": (_call(("kw", "function", 1), ("elem", ("kw", "args", 2))),),
    "asyncio.run": (_give(("awaited", ARG0)),),
    "asyncio.create_task": (_give(ARG0),),
    "asyncio.ensure_future": (_give(ARG0),),
    "asyncio.gather": (_give(("promise", ("list", ("awaited", ("rest", 0))))),),
    "asyncio.wait_for": (_give(ARG0),),
    "asyncio.shield": (_give(ARG0),),
    "asyncio.to_thread": (_call(ARG0, ARG1, ARG2), _give(("promise", ("result", 0)))),
    "re.sub": (_call(ARG1),),
    "collections.defaultdict": (_call(ARG0), _give(("dict", ("nothing",), ("result", 0)))),
    "collections.OrderedDict": (_give(("mapping",)),),
    "collections.deque": _SAME,
    **_many("concurrent.futures.ThreadPoolExecutor.submit concurrent.futures.ProcessPoolExecutor.submit", _SUBMIT),
    "concurrent.futures.Executor.submit": _SUBMIT,
    **_many(
        "concurrent.futures.ThreadPoolExecutor.map concurrent.futures.ProcessPoolExecutor.map "
        "concurrent.futures.Executor.map multiprocessing.Pool.map multiprocessing.pool.Pool.map",
        (_call(ARG0, ("elem", ARG1), ("elem", ARG2)), _give(("list", ("result", 0)))),
    ),
    **_many("builtins.list.append builtins.set.add collections.deque.append collections.deque.appendleft", _APPEND),
    "builtins.list.insert": (("put", RECV, ARG1),),
    **_many("builtins.list.extend builtins.set.update collections.deque.extend", _EXTEND),
    **_many(
        "builtins.list.pop builtins.set.pop builtins.dict.popitem collections.deque.pop collections.deque.popleft",
        _POP,
    ),
    **_many("builtins.list.copy builtins.dict.copy builtins.set.copy builtins.dict.items.copy", _COPY),
    "builtins.list.sort": (_call(("kw", "key"), ("elem", RECV)), _method(("elem", RECV), "__lt__")),
    **_many("builtins.dict.get builtins.dict.pop", _GET),
    "builtins.dict.setdefault": (("put", RECV, ARG1), _give(("item", RECV, ARG0)), _give(ARG1)),
    "builtins.dict.update": (("fill", RECV),),
    "builtins.dict.values": (_give(("list", ("value", RECV))),),
    "builtins.dict.items": (_give(("list", ("pair", ("key", RECV), ("value", RECV)))),),
    "builtins.dict.keys": (_give(("list", ("key", RECV))),),
    "builtins.dict.__getitem__": _GET,
    "promise.result": (_give(("awaited", RECV)),),
    "generator.send": (
        ("send", RECV, ARG0),
        _give(("elem", RECV)),
    ),
    "generator.__next__": (_give(("elem", RECV)),),
    "generator.throw": (_give(("elem", RECV)),),
    "class.__call__": (_give(("construct", RECV)),),
    "function.__call__": (("call", RECV, (ARG0, ARG1, ARG2)), _give(("result", 0))),
    "builtins.object.__new__": (_give(("construct", ARG0)),),
}
for _name in _TEXT.split():
    MODELS.setdefault(f"builtins.str.{_name}", (_give(("instance", "builtins.str")),))
for _name in ("append", "extend", "insert", "pop", "copy", "sort"):
    MODELS[f"list.{_name}"] = MODELS[f"builtins.list.{_name}"]
for _name in ("appendleft", "popleft"):
    MODELS[f"builtins.list.{_name}"] = MODELS[f"collections.deque.{_name}"]
for _name in ("get", "pop", "setdefault", "values", "items", "keys", "copy", "update"):
    MODELS.setdefault(f"dict.{_name}", MODELS[f"builtins.dict.{_name}"])


def _typing(names: str, kind: str) -> dict[str, str]:
    return {f"typing.{name}": kind for name in names.split()} | {
        f"typing_extensions.{name}": kind for name in names.split()
    }


TYPE_MODELS: dict[str, str] = {
    **_typing(
        "List Sequence MutableSequence Collection Iterable Iterator Set FrozenSet AbstractSet MutableSet Deque "
        "Reversible Container AsyncIterable AsyncIterator",
        "list",
    ),
    **_typing("Generator AsyncGenerator", "list"),
    **_typing("Tuple", "tuple"),
    **_typing("Dict Mapping MutableMapping DefaultDict OrderedDict", "dict"),
    **_typing("Optional", "optional"),
    **_typing("Union", "union"),
    **_typing("Callable", "callable"),
    **_typing("Type", "type"),
    **_typing("Awaitable Coroutine", "awaitable"),
    **_typing("Final ClassVar Annotated Required NotRequired ReadOnly Unpack", "final"),
    **_typing("Literal LiteralString", "literal"),
    **_typing("Any NoReturn Never Concatenate ParamSpec TypeGuard TypeIs", "any"),
    **_typing("Self", "self"),
    **{
        f"collections.abc.{name}": "list"
        for name in [
            "Sequence",
            "MutableSequence",
            "Collection",
            "Iterable",
            "Iterator",
            "Set",
            "MutableSet",
            "Reversible",
            "Container",
            "Generator",
            "AsyncIterable",
            "AsyncIterator",
            "AsyncGenerator",
        ]
    },
    **{f"collections.abc.{name}": "dict" for name in ("Mapping", "MutableMapping")},
    "collections.abc.Callable": "callable",
    "collections.abc.Awaitable": "awaitable",
    "collections.abc.Coroutine": "awaitable",
    "collections.deque": "list",
    "collections.defaultdict": "dict",
    "collections.OrderedDict": "dict",
    "builtins.list": "list",
    "builtins.set": "list",
    "builtins.frozenset": "list",
    "builtins.tuple": "tuple",
    "builtins.dict": "dict",
    "builtins.type": "type",
    "builtins.object": "any",
    "builtins.callable": "any",
    "builtins.None": "any",
    "dataclasses.InitVar": "final",
}

_OPERATORS = [
    "add",
    "sub",
    "mul",
    "matmul",
    "truediv",
    "floordiv",
    "mod",
    "divmod",
    "pow",
    "lshift",
    "rshift",
    "and",
    "or",
    "xor",
]

BUILTINS = """
ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception
ExceptionGroup False FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError
ImportError ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError
KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError None NotADirectoryError NotImplemented
NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError
PythonFinalizationError RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning
StopAsyncIteration StopIteration SyntaxError SyntaxWarning SystemError SystemExit TabError TimeoutError True
TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError
UnicodeWarning UserWarning ValueError Warning WindowsError ZeroDivisionError __build_class__ __debug__ __doc__
__file__ __import__ __loader__ __name__ __package__ __path__ __spec__ abs aiter all anext any ascii basestring
bin bool breakpoint bytearray bytes callable chr classmethod cmp compile complex copyright credits delattr dict
dir divmod enumerate eval exec execfile exit file filter float format frozenset getattr globals hasattr hash
help hex id input int isinstance issubclass iter len license list locals long map max memoryview min next object
oct open ord pow print property quit range raw_input reduce reload repr reversed round set setattr slice sorted
staticmethod str sum super tuple type unichr unicode vars xrange zip
"""
"""Names that nothing needs to bind, of all versions of the language."""

SEMANTICS = Semantics(
    receiver="parameter",
    lookup="c3",
    constructors=("__new__", "__init__"),
    callable_method="__call__",
    missing_attribute=("__getattribute__", "__getattr__"),
    builtins="builtins",
    globals=frozenset(BUILTINS.split()),
    dictionaries=True,
    post_construct="__post_init__",
    iterate=("__iter__", "__next__"),
    iterate_async=("__aiter__", "__anext__"),
    get_item="__getitem__",
    set_item="__setitem__",
    delete_item="__delitem__",
    enter=("__enter__", "__exit__"),
    enter_async=("__aenter__", "__aexit__"),
    await_method="__await__",
    reflected={
        **{f"__{name}__": f"__r{name}__" for name in _OPERATORS},
        "__lt__": "__gt__",
        "__gt__": "__lt__",
        "__le__": "__ge__",
        "__ge__": "__le__",
        "__eq__": "__eq__",
        "__ne__": "__ne__",
    },
    store_attribute="__setattr__",
    subclass_hook="__init_subclass__",
    name_hook="__set_name__",
    class_item="__class_getitem__",
    descriptor_get="__get__",
    descriptor_set="__set__",
    models=MODELS,
    literal_types={
        "str": "builtins.str",
        "bytes": "builtins.bytes",
        "int": "builtins.int",
        "float": "builtins.float",
        "complex": "builtins.complex",
        "bool": "builtins.bool",
        "list": "builtins.list",
        "tuple": "builtins.tuple",
        "set": "builtins.set",
        "frozenset": "builtins.frozenset",
        "dict": "builtins.dict",
        "generator": "generator",
    },
    type_models=TYPE_MODELS,
    stub_suffix=".pyi",
    structural=frozenset({"typing.Protocol", "typing_extensions.Protocol"}),
    transparent_decorators=frozenset(
        {
            "builtins.staticmethod",
            "builtins.classmethod",
            "builtins.property",
            "abc.abstractmethod",
            "abc.abstractproperty",
            "typing.overload",
            "typing.final",
            "typing.override",
            "typing.runtime_checkable",
            "typing.no_type_check",
            "typing_extensions.overload",
            "typing_extensions.final",
            "typing_extensions.override",
            "typing_extensions.runtime_checkable",
            "typing_extensions.deprecated",
            "warnings.deprecated",
            "dataclasses.dataclass",
            "attr.s",
            "attr.attrs",
            "attr.dataclass",
            "attr.define",
            "attr.frozen",
            "attr.mutable",
            "attrs.define",
            "attrs.frozen",
            "attrs.mutable",
            "enum.unique",
            "functools.total_ordering",
            "functools.cached_property",
            "functools.wraps",
            "atexit.register",
        }
    ),
)
