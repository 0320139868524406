"""A grammar's numbers: ids of node kinds and fields by name, and the dispatch tables of the rooms laid out by id."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TYPE_CHECKING

from codegps import parse

if TYPE_CHECKING:
    from codegps.languages.javascript.walker import Do, Value


class Kinds:
    """Ids of the node kinds that the walker asks for by name; -1 where the grammar has none of that name."""

    abstract_method_signature: int
    array: int
    array_pattern: int
    arrow_function: int
    as_expression: int
    asserts: int
    assignment_expression: int
    assignment_pattern: int
    await_expression: int
    binary_expression: int
    call_expression: int
    call_signature: int
    class_: int
    class_body: int
    class_static_block: int
    comment: int
    computed_property_name: int
    constraint: int
    construct_signature: int
    decorator: int
    default_type: int
    else_clause: int
    enum_assignment: int
    export_clause: int
    export_specifier: int
    extends_clause: int
    extends_type_clause: int
    field_definition: int
    function_expression: int
    function_signature: int
    function_type: int
    generator_function: int
    generic_type: int
    identifier: int
    if_statement: int
    implements_clause: int
    import_: int
    import_clause: int
    import_require_clause: int
    import_specifier: int
    index_signature: int
    instantiation_expression: int
    internal_module: int
    jsx_attribute: int
    jsx_expression: int
    jsx_namespace_name: int
    jsx_opening_element: int
    jsx_self_closing_element: int
    lexical_declaration: int
    mapped_type_clause: int
    member_expression: int
    method_definition: int
    method_signature: int
    module: int
    named_imports: int
    namespace_export: int
    namespace_import: int
    nested_identifier: int
    new_expression: int
    non_null_expression: int
    number: int
    object: int
    object_assignment_pattern: int
    object_pattern: int
    object_type: int
    optional_parameter: int
    optional_type: int
    pair: int
    pair_pattern: int
    parenthesized_expression: int
    parenthesized_type: int
    private_property_identifier: int
    property_identifier: int
    property_signature: int
    public_field_definition: int
    required_parameter: int
    rest_pattern: int
    rest_type: int
    return_statement: int
    satisfies_expression: int
    sequence_expression: int
    shorthand_property_identifier: int
    shorthand_property_identifier_pattern: int
    spread_element: int
    statement_block: int
    string: int
    subscript_expression: int
    super: int
    switch_case: int
    template_string: int
    template_substitution: int
    ternary_expression: int
    this: int
    type_annotation: int
    type_arguments: int
    type_assertion: int
    type_identifier: int
    type_parameter: int
    type_parameters: int
    type_predicate_annotation: int
    type_query: int
    unary_expression: int
    union_type: int
    intersection_type: int
    variable_declaration: int
    variable_declarator: int

    def __init__(self, ids: Mapping[str, int]) -> None:
        for name in Kinds.__annotations__:
            setattr(self, name, ids.get(name.rstrip("_"), -1))


def _set(ids: Mapping[str, int], *names: str) -> frozenset[int]:
    return frozenset(ids[name] for name in names if name in ids)


class Grammar:
    """One grammar, ready to walk its trees."""

    def __init__(self, name: str, values: Mapping[str, Value], does: Mapping[str, Do]) -> None:
        self.name = name
        language = parse.grammar(name)
        ids: dict[str, int] = {}
        for number in range(language.node_kind_count):
            kind = language.node_kind_for_id(number)
            if kind is not None and language.node_kind_is_named(number):
                ids.setdefault(kind, language.id_for_node_kind(kind, True) or number)
        self.kinds = Kinds(ids)
        self.fields: defaultdict[str, int] = defaultdict(int)
        """Field ids by name; 0, which no node has, where the grammar lacks the field."""
        for number in range(1, language.field_count + 1):
            field = language.field_name_for_id(number)
            if field is not None:
                self.fields[field] = number
        kinds, fields = self.kinds, self.fields
        self.chain = (
            kinds.call_expression,
            kinds.member_expression,
            kinds.subscript_expression,
            kinds.non_null_expression,
            kinds.comment,
            kinds.identifier,
            fields["function"],
            fields["object"],
            fields["property"],
            fields["arguments"],
        )
        """What walking `a.b(c)[d]` asks for, in one tuple: that is most of all code."""
        self.type_names = _set(
            ids, "type_identifier", "nested_type_identifier", "member_expression", "nested_identifier"
        )
        self.type_leaves = _set(
            ids, "predefined_type", "this_type", "literal_type", "comment", "identifier", "property_identifier"
        )
        self.type_binders = _set(ids, "type_parameter", "mapped_type_clause", "infer_type")
        """Kinds of nodes in types: names, what holds no names, what declares names for the type itself."""
        self.names = frozenset(
            {kinds.identifier, kinds.property_identifier, kinds.private_property_identifier, kinds.super}
        )
        """Tokens that name a callee."""
        self.hoisted = frozenset(
            ids[kind] for kind in ("function_declaration", "generator_function_declaration") if kind in ids
        )
        """Declarations that are there before their line is reached."""
        error = 65535
        numbers = [*range(language.node_kind_count), error]
        self.values: dict[int, Value] = dict.fromkeys(numbers, values["*"])
        self.does: dict[int, Do] = dict.fromkeys(numbers, does["*"])
        for kind, number in [*ids.items(), ("ERROR", error)]:
            if kind in values:
                self.values[number] = values[kind]
            if kind in does:
                self.does[number] = does[kind]
