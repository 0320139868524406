"""Which terms may reach a variable: branches, joins, loops, what conditions tell, reads and assignments.

The environment of a unit holds the variables that were assigned since their declaration or narrowed. A branch is a
journal of the old values it replaced: leaving it puts these back and hands out what it changed, so that branches cost
what they change and not what there is. In a loop a variable is a UNION as soon as it is read before it is written; the
loop's end adds the value that comes round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codegps.languages.javascript import types
from codegps.languages.javascript.scopes import Variable, VariableKind
from codegps.model.facts import Effect, Op

if TYPE_CHECKING:
    from tree_sitter import Node

    from codegps.languages.javascript.walker import Walker

Delta = dict[Variable, int]
Fact = tuple[Variable, int, int]
"""A variable, the type it is known to have, and 1, or 0 where it is known not to have it."""
Facts = tuple[Fact, ...]


class Target:
    """A statement that `break` or `continue` may leave."""

    __slots__ = ("breaks", "continues", "journal", "labels", "level", "loop", "phis", "switch")

    def __init__(self, level: int, journal: dict[Variable, int | None], loop: bool, switch: bool = False) -> None:
        self.level = level
        """Number of journals outside it."""
        self.journal = journal
        self.loop = loop
        self.switch = switch
        self.labels: list[str] = []
        self.breaks: list[Delta] = []
        self.continues: list[Delta] = []
        self.phis: dict[Variable, int] = {}


# -- branches


def fork(w: Walker) -> dict[Variable, int | None]:
    journal: dict[Variable, int | None] = {}
    w.journals.append(journal)
    w.journal = journal
    return journal


def close(w: Walker) -> Delta:
    """Ends the innermost branch: its changes are taken back and handed out."""
    journals = w.journals
    journal = journals.pop()
    w.journal = journals[-1] if journals else None
    if not journal:
        return {}
    level = len(journals)
    env = w.env
    delta: Delta = {}
    for variable, old in journal.items():
        if variable.depth <= level:
            delta[variable] = env[variable]
        if old is None:
            del env[variable]
        else:
            env[variable] = old
    return delta


def apply(w: Walker, delta: Delta) -> None:
    for variable, term in delta.items():
        set_value(w, variable, term)


def set_value(w: Walker, variable: Variable, term: int) -> None:
    journal = w.journal
    if journal is not None and variable not in journal:
        journal[variable] = w.env.get(variable)
    w.env[variable] = term


def join(w: Walker, deltas: list[Delta]) -> None:
    """Goes on after branches of which one was taken."""
    if not deltas:
        return
    if len(deltas) == 1:
        apply(w, deltas[0])
        return
    variables: dict[Variable, None] = {}
    for delta in deltas:
        for variable in delta:
            variables[variable] = None
    for variable in variables:
        before = w.env.get(variable, variable.value)
        found: list[int] = []
        for delta in deltas:
            term = delta.get(variable, before)
            if term >= 0 and term not in found:
                found.append(term)
        set_value(w, variable, _joined(w, found))


def _joined(w: Walker, found: list[int]) -> int:
    if len(found) == 1:
        return found[0]
    narrowed = w.narrowed
    if narrowed:
        originals = {narrowed.get(term, term) for term in found}
        if len(originals) == 1:
            return originals.pop()
    return w.put([Op.UNION, *found])


def changes(w: Walker, level: int) -> Delta:
    """What was changed since `level` journals were open."""
    env = w.env
    found: Delta = {}
    for journal in w.journals[level:]:
        for variable in journal:
            if variable.depth <= level:
                found[variable] = env[variable]
    return found


# -- loops and jumps


def enter_target(w: Walker, loop: bool, labels: list[str], switch: bool = False) -> Target:
    level = len(w.journals)
    target = Target(level, fork(w), loop, switch)
    target.labels = labels
    w.targets.append(target)
    return target


def leave_loop(w: Walker, target: Target, once: bool = False) -> None:
    """Closes a loop's body; `once`: it runs at least once."""
    w.targets.pop()
    dead = w.dead
    delta = close(w)
    rounds = list(target.continues)
    if not dead:
        rounds.append(delta)
    for variable, phi in target.phis.items():
        term = w.terms[phi]
        for each in rounds:
            value = each.get(variable, phi)
            if value != phi and value not in term:
                term.append(value)
        _flatten(w, phi)
    w.dead = False
    if once:
        join(w, [*target.breaks, *rounds])
        return
    phis = {variable: phi for variable, phi in target.phis.items() if variable.depth <= target.level}
    join(w, [*target.breaks, *({**each, **phis} for each in rounds), phis])


def _flatten(w: Walker, phi: int) -> None:
    """A loop variable that the loop does not change is what it was, where that is a term without effects."""
    term = w.terms[phi]
    if len(term) == 2:
        inner = w.terms[term[1]]
        if inner[0] in (Op.PARAM, Op.CONST, Op.DEF, Op.NAME, Op.IMPORT, Op.LOCAL, Op.UNKNOWN, Op.THIS):
            term[:] = inner


def jump(w: Walker, label: str | None, onward: bool) -> None:
    """`break` (or `continue`, onward)."""
    for target in reversed(w.targets):
        if (label is None and (target.loop or (target.switch and not onward))) or (
            label is not None and label in target.labels
        ):
            (target.continues if onward else target.breaks).append(changes(w, target.level))
            break
    w.dead = True


# -- variables


def read(w: Walker, variable: Variable) -> int:
    """The term that reading the variable here is."""
    fixed = variable.fixed
    if variable.body is not w.body:
        term = w.env.get(variable)
        if term is not None:
            return term
        if variable.module:
            if fixed is not None and fixed[0] == Op.IMPORT:
                return w.leaf_term(Op.IMPORT, fixed[1])
            return w.leaf_term(Op.NAME, w.strings[variable.name])
        if fixed is not None:
            return w.leaf_term(fixed[0], fixed[1])
        return _captured(w, variable)
    if fixed is not None:
        term = w.env.get(variable)
        return w.leaf_term(fixed[0], fixed[1]) if term is None else term
    term = w.env.get(variable, variable.value)
    if term < 0:
        if variable.module:
            return w.leaf_term(Op.NAME, w.strings[variable.name])
        term = w.constant("undefined") if not variable.inner_writes else -1
    elif w.targets and variable.kind != VariableKind.CONST:
        term = _round(w, variable, term)
    if variable.inner_writes:
        inner = (
            w.leaf_term(Op.NAME, w.strings[variable.name]) if variable.module else _captured(w, variable, patch=False)
        )
        return inner if term < 0 else w.put([Op.UNION, term, inner])
    return term


def _captured(w: Walker, variable: Variable, patch: bool = True) -> int:
    variable.captured = True
    body = variable.body
    key = id(variable)
    known = w.leaf.get(-key)
    if known is not None:
        return known
    term = [Op.LOCAL, body.symbol, w.strings[variable.label]]
    if patch:
        variable.locals.append(term)
    number = w.leaf[-key] = w.put(term)
    return number


def _round(w: Walker, variable: Variable, term: int) -> int:
    """Inside loops: the value from before the loop, or one that came round."""
    journals = w.journals
    for target in w.targets:
        if not target.loop or variable.depth > target.level:
            continue
        if any(variable in journal for journal in journals[target.level :]):
            continue
        phi = w.put([Op.UNION, term])
        target.phis[variable] = phi
        target.journal[variable] = w.env.get(variable)
        w.env[variable] = phi
        term = phi
    return term


def assign(w: Walker, variable: Variable, term: int, declaration: bool = False) -> None:
    """Binds the variable to a term."""
    body = variable.body
    if variable.annotation is not None and not declaration:
        term = w.put([Op.TYPED, types.term(w, variable.annotation, False), term])
    if body is not w.body:
        variable.captured = True
        variable.inner_writes += 1
        if variable.module:
            variable.plain.append(-1)
            w.effects.append([Effect.BIND, 0, w.strings[variable.name], term])
        else:
            w.effects.append([Effect.BIND, body.symbol, w.strings[variable.label], term])
        return
    if variable.fixed is not None:
        if not variable.assigned and variable.fixed[0] == Op.DEF and not declaration:
            variable.assigned.append(w.leaf_term(Op.DEF, variable.fixed[1]))
        if not declaration:
            variable.fixed = None
    variable.assigned.append(term)
    if declaration and variable.value < 0 and (variable.kind <= VariableKind.LET or not w.journals):
        variable.value = term
    else:
        set_value(w, variable, term)


def finish(w: Walker) -> None:
    """The unit is done: what inner functions read or wrote becomes bindings they can see."""
    body = w.body
    for variable in body.variables:
        if not variable.captured or variable.member:
            continue
        if variable.fixed is not None and not variable.inner_writes:
            for local in variable.locals:
                local[:] = variable.fixed
            continue
        if len(variable.assigned) == 1 and not variable.inner_writes:
            term = w.terms[variable.assigned[0]]
            if term[0] in (Op.DEF, Op.IMPORT):
                for local in variable.locals:
                    local[:] = term
                continue
        label = w.strings[variable.label]
        for term in dict.fromkeys(variable.assigned):
            w.effects.append([Effect.BIND, body.symbol, label, term])


# -- conditions


def condition(w: Walker, node: Node) -> tuple[Facts, Facts]:
    """Evaluates a condition: what is known where it holds, and where it does not."""
    kinds = w.kinds
    kind = node.kind_id
    while kind == kinds.parenthesized_expression:
        inner = next((each for each in node.named_children if each.kind_id != kinds.comment), None)
        if inner is None:
            return (), ()
        node = inner
        kind = node.kind_id
    if kind == kinds.binary_expression:
        operator = node.children[1].type if node.child_count == 3 else ""
        if operator in ("&&", "||"):
            return _logical(w, node, operator)
        if operator == "instanceof":
            facts = _instance(w, node)
            return facts, _opposite(facts)
    elif kind == kinds.unary_expression and w.text[node.start_byte] == "!":
        argument = node.child_by_field_id(w.fields["argument"])
        if argument is not None:
            yes, no = condition(w, argument)
            return no, yes
    w.values[kind](w, node)
    if kind == kinds.call_expression and w.guards:
        facts = guarded(w, node, False)
        return facts, _opposite(facts)
    return (), ()


def know(w: Walker, facts: Facts) -> None:
    """Goes on where these facts hold."""
    for variable, type_term, positive in facts:
        before = read(w, variable)
        term = w.put([Op.NARROW, before, type_term, positive])
        w.narrowed[term] = w.narrowed.get(before, before)
        set_value(w, variable, term)


def _opposite(facts: Facts) -> Facts:
    return tuple((variable, term, 1 - positive) for variable, term, positive in facts)


def _logical(w: Walker, node: Node, operator: str) -> tuple[Facts, Facts]:
    parts = operands(w, node, operator)
    known: list[Fact] = []
    fork(w)
    for part in parts:
        yes, no = condition(w, part)
        facts = yes if operator == "&&" else no
        know(w, facts)
        known.extend(facts)
    delta = close(w)
    narrow_only = {variable for variable, _, _ in known}
    join(w, [{v: t for v, t in delta.items() if v not in narrow_only}, {}])
    return (tuple(known), ()) if operator == "&&" else ((), tuple(known))


def operands(w: Walker, node: Node, operator: str) -> list[Node]:
    """The operands of a chain of one operator, along its left spine."""
    parts: list[Node] = []
    left, right = w.fields["left"], w.fields["right"]
    binary = w.kinds.binary_expression
    while True:
        after = node.child_by_field_id(right)
        if after is not None:
            parts.append(after)
        before = node.child_by_field_id(left)
        if before is None:
            break
        if before.kind_id != binary or before.child_count != 3 or before.children[1].type != operator:
            parts.append(before)
            break
        node = before
    parts.reverse()
    return parts


def _instance(w: Walker, node: Node) -> Facts:
    left = node.child_by_field_id(w.fields["left"])
    right = node.child_by_field_id(w.fields["right"])
    if left is None or right is None:
        return ()
    w.values[left.kind_id](w, left)
    type_term = w.values[right.kind_id](w, right)
    variable = w.find(w.name(left)) if left.kind_id == w.kinds.identifier else None
    return () if variable is None else ((variable, type_term, 1),)


def guarded(w: Walker, node: Node, asserts: bool) -> Facts:
    """What `isFoo(x)` says of `x` where it holds, or `assertFoo(x)` once it is over."""
    fields, kinds = w.fields, w.kinds
    function, given = node.child_by_field_id(fields["function"]), node.child_by_field_id(fields["arguments"])
    if function is None or given is None or function.kind_id != kinds.identifier:
        return ()
    callee = w.find(w.name(function))
    if callee is None or callee.fixed is None or callee.fixed[0] != Op.DEF:
        return ()
    guard = w.guards.get(callee.fixed[1])
    if guard is None or guard[2] != asserts:
        return ()
    parts = [each for each in given.named_children if each.kind_id != kinds.comment]
    if guard[0] >= len(parts) or parts[guard[0]].kind_id != kinds.identifier:
        return ()
    variable = w.find(w.name(parts[guard[0]]))
    return () if variable is None else ((variable, types.term(w, guard[1], False), 1),)


def guard(w: Walker, node: Node, symbol: int) -> None:
    """Notes a function declared to be a type guard: `x is T`, `asserts x is T`."""
    declared = node.child_by_field_id(w.fields["return_type"])
    if declared is None or declared.type not in ("type_predicate_annotation", "asserts_annotation"):
        return
    predicate = declared
    while predicate.type != "type_predicate":
        inner = next((each for each in predicate.named_children if each.kind_id != w.kinds.comment), None)
        if inner is None:
            return
        predicate = inner
    name, target = predicate.child_by_field_id(w.fields["name"]), predicate.child_by_field_id(w.fields["type"])
    parameters = node.child_by_field_id(w.fields["parameters"])
    if name is None or target is None or parameters is None:
        return
    index = 0
    for each in parameters.named_children:
        pattern = each.child_by_field_id(w.fields["pattern"])
        if pattern is None or pattern.kind_id == w.kinds.this:
            continue
        if w.name(pattern) == w.name(name):
            w.guards[symbol] = index, target, declared.type == "asserts_annotation"
        index += 1
