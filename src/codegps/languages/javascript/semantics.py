"""How JavaScript and TypeScript behave: receivers, lookup, the library's names and models."""

from __future__ import annotations

from codegps.language import Semantics
from codegps.languages.javascript.globals import TYPES
from codegps.languages.javascript.models import MODELS, TYPE_MODELS

SEMANTICS = Semantics(
    receiver="this",
    lookup="chain",
    constructors=("constructor",),
    callable_method="()",
    call_signature="()",
    construct_signature="new()",
    lent=True,
    rest_is_whole=True,
    decorators_keep=True,
    functions_construct=True,
    callables_take_any=True,
    globals=TYPES,
    iterate=("[Symbol.iterator]", "next"),
    iterate_async=("[Symbol.asyncIterator]", "next"),
    literal_types={
        "string": "String",
        "number": "Number",
        "boolean": "Boolean",
        "bigint": "BigInt",
        "regexp": "RegExp",
        "array": "Array",
        "object": "Object",
        "list": "Array",
        "tuple": "Array",
        "set": "Set",
        "dict": "Map",
        "promise": "Promise",
    },
    models=MODELS,
    object_members=frozenset(
        {
            "hasOwnProperty",
            "isPrototypeOf",
            "propertyIsEnumerable",
            "toLocaleString",
            "toString",
            "valueOf",
            "__defineGetter__",
            "__defineSetter__",
        }
    ),
    type_models=TYPE_MODELS,
)
