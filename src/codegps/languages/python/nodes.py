"""Node kinds of the Python grammar by number: a comparison of integers is what the walk does most."""

from __future__ import annotations

from codegps.parse import grammar

_GRAMMAR = grammar("python")
_IDS: dict[str, list[int]] = {}
for _number in range(_GRAMMAR.node_kind_count):
    if _GRAMMAR.node_kind_is_visible(_number):
        _IDS.setdefault(_GRAMMAR.node_kind_for_id(_number) or "", []).append(_number)


def ids(*names: str, named: bool = True) -> frozenset[int]:
    """All numbers of these kinds: aliases make several of one name."""
    return frozenset(n for name in names for n in _IDS[name] if _GRAMMAR.node_kind_is_named(n) == named)


def _one(name: str) -> int:
    named = [number for number in _IDS[name] if _GRAMMAR.node_kind_is_named(number)]
    return (named or _IDS[name])[0]


IDENTIFIER = _one("identifier")
ATTRIBUTE = _one("attribute")
CALL = _one("call")
SUBSCRIPT = _one("subscript")
ARGUMENTS = _one("argument_list")
KEYWORD_ARGUMENT = _one("keyword_argument")
LIST_SPLAT = _one("list_splat")
DICT_SPLAT = _one("dictionary_splat")
STRING = _one("string")
CONCATENATED = _one("concatenated_string")
INTERPOLATION = _one("interpolation")
FORMAT_EXPRESSION = _one("format_expression")
FORMAT_SPECIFIER = _one("format_specifier")
INTEGER = _one("integer")
FLOAT = _one("float")
TRUE = _one("true")
FALSE = _one("false")
NONE = _one("none")
ELLIPSIS = _one("ellipsis")
PARENTHESIZED = _one("parenthesized_expression")
GENERATOR = _one("generator_expression")
LIST_COMPREHENSION = _one("list_comprehension")
SET_COMPREHENSION = _one("set_comprehension")
DICT_COMPREHENSION = _one("dictionary_comprehension")
FOR_IN = _one("for_in_clause")
IF_CLAUSE = _one("if_clause")
LIST = _one("list")
TUPLE = _one("tuple")
SET = _one("set")
DICTIONARY = _one("dictionary")
PAIR = _one("pair")
LAMBDA = ids("lambda")
LAMBDA_PARAMETERS = _one("lambda_parameters")
BINARY = _one("binary_operator")
BOOLEAN = _one("boolean_operator")
COMPARISON = _one("comparison_operator")
NOT = _one("not_operator")
UNARY = _one("unary_operator")
CONDITIONAL = _one("conditional_expression")
NAMED = _one("named_expression")
AWAIT = _one("await")
YIELD = _one("yield")
SLICE = _one("slice")
EXPRESSION_LIST = _one("expression_list")
PATTERN_LIST = _one("pattern_list")
TUPLE_PATTERN = ids("tuple_pattern")
LIST_PATTERN = ids("list_pattern")
LIST_SPLAT_PATTERN = _one("list_splat_pattern")
DICT_SPLAT_PATTERN = _one("dictionary_splat_pattern")
AS_PATTERN = ids("as_pattern")
AS_TARGET = _one("as_pattern_target")
COMMENT = _one("comment")
CONTINUATION = _one("line_continuation")
ERROR = 0xFFFF

TYPE = _one("type")
GENERIC_TYPE = _one("generic_type")
UNION_TYPE = _one("union_type")
MEMBER_TYPE = _one("member_type")
SPLAT_TYPE = _one("splat_type")
CONSTRAINED_TYPE = _one("constrained_type")
TYPE_PARAMETER = _one("type_parameter")

MODULE = _one("module")
BLOCK = ids("block")
EXPRESSION_STATEMENT = _one("expression_statement")
ASSIGNMENT = _one("assignment")
AUGMENTED = _one("augmented_assignment")
RETURN = _one("return_statement")
IF = _one("if_statement")
ELIF = _one("elif_clause")
ELSE = _one("else_clause")
FOR = _one("for_statement")
WHILE = _one("while_statement")
TRY = _one("try_statement")
EXCEPT = _one("except_clause")
FINALLY = _one("finally_clause")
WITH = _one("with_statement")
WITH_CLAUSE = _one("with_clause")
WITH_ITEM = _one("with_item")
MATCH = _one("match_statement")
CASE = _one("case_clause")
FUNCTION = _one("function_definition")
CLASS = _one("class_definition")
DECORATED = _one("decorated_definition")
DECORATOR = _one("decorator")
PARAMETERS = _one("parameters")
TYPED_PARAMETER = _one("typed_parameter")
DEFAULT_PARAMETER = _one("default_parameter")
TYPED_DEFAULT = _one("typed_default_parameter")
POSITIONAL_SEPARATOR = _one("positional_separator")
KEYWORD_SEPARATOR = _one("keyword_separator")
IMPORT = _one("import_statement")
IMPORT_FROM = _one("import_from_statement")
FUTURE_IMPORT = _one("future_import_statement")
ALIASED_IMPORT = _one("aliased_import")
DOTTED_NAME = _one("dotted_name")
RELATIVE_IMPORT = _one("relative_import")
WILDCARD = _one("wildcard_import")
GLOBAL = _one("global_statement")
NONLOCAL = _one("nonlocal_statement")
DELETE = _one("delete_statement")
RAISE = _one("raise_statement")
ASSERT = _one("assert_statement")
PASS = _one("pass_statement")
BREAK = _one("break_statement")
CONTINUE = _one("continue_statement")
TYPE_ALIAS = _one("type_alias_statement")
PRINT = _one("print_statement")
EXEC = _one("exec_statement")
CHEVRON = _one("chevron")

CASE_PATTERN = _one("case_pattern")
UNION_PATTERN = _one("union_pattern")
DICT_PATTERN = _one("dict_pattern")
KEYWORD_PATTERN = _one("keyword_pattern")
SPLAT_PATTERN = _one("splat_pattern")
CLASS_PATTERN = _one("class_pattern")
COMPLEX_PATTERN = _one("complex_pattern")

IS = _one("is")
IS_NOT = _one("is not")
IN = _one("in")
NOT_IN = _one("not in")
AND = _one("and")
OR = _one("or")
ASYNC = _one("async")
ASSIGN = _one("=")
COLON = _one(":")
AS = _one("as")
FROM = _one("from")

PUNCTUATION = ids("(", ")", "[", "]", "{", "}", ",", ":", ";", named=False) | ids("comment", "line_continuation")
"""Children that carry no value."""

METHODS: dict[int, str] = {
    _one(token): name
    for token, name in {
        "+": "__add__",
        "-": "__sub__",
        "*": "__mul__",
        "@": "__matmul__",
        "/": "__truediv__",
        "%": "__mod__",
        "//": "__floordiv__",
        "**": "__pow__",
        "|": "__or__",
        "&": "__and__",
        "^": "__xor__",
        "<<": "__lshift__",
        ">>": "__rshift__",
        "<": "__lt__",
        "<=": "__le__",
        "==": "__eq__",
        "!=": "__ne__",
        "<>": "__ne__",
        ">=": "__ge__",
        ">": "__gt__",
        "in": "__contains__",
        "not in": "__contains__",
        "+=": "__iadd__",
        "-=": "__isub__",
        "*=": "__imul__",
        "@=": "__imatmul__",
        "/=": "__itruediv__",
        "%=": "__imod__",
        "//=": "__ifloordiv__",
        "**=": "__ipow__",
        "|=": "__ior__",
        "&=": "__iand__",
        "^=": "__ixor__",
        "<<=": "__ilshift__",
        ">>=": "__irshift__",
    }.items()
}
"""Operator tokens to the special methods they call."""
UNARY_METHODS: dict[int, str] = {_one("-"): "__neg__", _one("+"): "__pos__", _one("~"): "__invert__"}
