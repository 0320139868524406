"""Random programs and random edits: small modules that import, inherit, call, store and pass things around."""

from __future__ import annotations

from random import Random

NAMES = ["alpha", "beta", "gamma", "delta", "omega"]
CLASSES = ["Ant", "Bee", "Cat", "Dog"]
FIELDS = ["left", "right", "handler"]
MODULES = ["one.py", "two.py", "pack/__init__.py", "pack/three.py", "pack/four.py"]


class Maker:
    """Makes text from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def program(self) -> dict[str, str]:
        return {path: self.module(path) for path in MODULES}

    def module(self, path: str) -> str:
        lines = [self.imported(path) for _ in range(self.random.randint(1, 4))]
        for _ in range(self.random.randint(2, 5)):
            lines += self.definition()
        lines += [self.statement() for _ in range(self.random.randint(0, 3))]
        return "\n".join(lines) + "\n"

    def imported(self, path: str) -> str:
        pick = self.random.choice
        modules = ["one", "two", "pack", "pack.three", "pack.four"]
        name = pick([*NAMES, *CLASSES])
        forms = [
            f"from {pick(modules)} import {name}",
            f"from {pick(modules)} import {name} as {pick(NAMES)}",
            f"import {pick(modules)}",
            f"from {pick(modules)} import *",
        ]
        if path.startswith("pack/"):
            forms += [f"from .{pick(['three', 'four', ''])} import {name}", f"from .. import {pick(['one', 'two'])}"]
        return pick(forms)

    def definition(self) -> list[str]:
        pick = self.random.choice
        if self.random.random() < 0.5:
            return self.function(pick(NAMES), "", "")
        base = pick(["", f"({pick(CLASSES)})", f"({pick(CLASSES)}, {pick(CLASSES)})", f"(pack.{pick(CLASSES)})"])
        lines = [f"class {pick(CLASSES)}{base}:", f"    {pick(FIELDS)}: {pick(CLASSES)}", "    shared = alpha"]
        for name in self.random.sample([*NAMES, "__init__", "__call__"], 3):
            lines += self.function(name, "    ", "self, ")
        return lines

    def function(self, name: str, indent: str, first: str) -> list[str]:
        pick = self.random.choice
        decorator = [f"{indent}@{pick(NAMES)}"] if self.random.random() < 0.15 else []
        returns = f" -> {pick(CLASSES)}" if self.random.random() < 0.2 else ""
        annotated = f": {pick(CLASSES)}" if self.random.random() < 0.2 else ""
        lines = [*decorator, f"{indent}def {name}({first}x{annotated}, y={self.value()}){returns}:"]
        if first:
            lines.append(f"{indent}    self.{pick(FIELDS)} = {pick(['x', 'y', self.value()])}")
        lines += [f"{indent}    {self.statement()}" for _ in range(self.random.randint(1, 4))]
        if first:
            lines.append(f"{indent}    {pick(['self', 'super()'])}.{pick([*NAMES, *FIELDS])}({self.value()})")
        if self.random.random() < 0.3:
            lines += [f"{indent}    def inner(z): return x(z)", f"{indent}    yield_ = inner(y)"]
        lines.append(f"{indent}    return {pick(['x', 'y', self.value(), self.value()])}")
        return lines

    def value(self) -> str:
        pick = self.random.choice
        return pick(
            [
                *NAMES,
                *CLASSES,
                f"{pick(CLASSES)}({pick(NAMES)})",
                f"{pick(NAMES)}({pick(NAMES)})",
                f"[{pick(NAMES)}, {pick(NAMES)}]",
                f"{{'k': {pick(NAMES)}}}",
                f"lambda q: {pick(NAMES)}(q)",
                f"pack.{pick(NAMES)}",
                "1",
            ]
        )

    def statement(self) -> str:
        pick = self.random.choice
        return pick(
            [
                f"{pick(NAMES)}({self.value()})",
                f"{pick(NAMES)} = {self.value()}",
                f"{pick(CLASSES)}({self.value()}).{pick(NAMES)}({self.value()})",
                f"{pick(NAMES)}.{pick(FIELDS)} = {self.value()}",
                f"for each in {self.value()}: each({self.value()})",
                f"{self.value()}({self.value()})",
                f"list(map({pick(NAMES)}, [{self.value()}]))",
            ]
        )

    def edit(self, files: dict[str, str]) -> str:
        """Changes the files a little; says how."""
        pick, chance = self.random.choice, self.random.random()
        path = pick(sorted(files))
        lines = files[path].split("\n")
        at = self.random.randrange(len(lines))
        if chance < 0.2:
            files[path] = "\n".join(lines[:at] + lines[at + 1 :])
        elif chance < 0.4:
            indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
            files[path] = "\n".join([*lines[:at], indent + self.statement(), *lines[at:]])
        elif chance < 0.6:
            words = [*NAMES, *CLASSES, *FIELDS]
            found = [word for word in words if word in lines[at]]
            if found:
                lines[at] = lines[at].replace(pick(found), pick(words), 1)
            files[path] = "\n".join(lines)
        elif chance < 0.75:
            files[path] += "\n".join(self.definition()) + "\n"
        elif chance < 0.85:
            files[path] = self.module(path)
        elif chance < 0.9 and len(files) > 2:
            del files[path]
        elif chance < 0.95:
            files[pick(MODULES)] = self.module(path)
        else:
            files[path.replace(".py", "_moved.py")] = files.pop(path)
        return f"{chance:.2f} {path}"
