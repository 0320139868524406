"""A random project and random edits of it: a seed in, the same sequence of trees out.

Every edit is one that people make: a body, a signature, a base class, an import, a decorator, a file that comes, goes
or moves, a statement that is broken for a while.
"""

from __future__ import annotations

import random
from pathlib import Path

NAMES = ("load", "save", "make", "run", "walk", "find", "close", "copy")
CLASSES = ("Base", "Node", "Leaf", "Shop", "Cart")
FOLDERS = ("", "app/", "app/core/", "lib/")
STEMS = ("alpha", "beta", "gamma", "delta", "model", "view")


class Project:
    """Sources as lists of parts; `write` brings the disk up to date. A subclass says what parts are."""

    packages: tuple[str, ...] = ()
    """Files that make a folder one module."""
    endings: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()

    def __init__(self, root: Path, seed: int, files: int = 10) -> None:
        self.root = root
        self.random = random.Random(seed)
        self.files: dict[str, list[str]] = {}
        self.on_disk: dict[str, str] = {}
        for path in self.packages:
            self.files[path] = []
        for _ in range(files):
            self.add_file()
        self.write()

    # -- edits

    def edit(self) -> str:
        """Makes one random edit and says which."""
        deeds = [
            *(self.change_part, self.change_part, self.change_part, self.change_part, self.change_part),
            *(self.add_part, self.add_part, self.drop_part, self.swap_parts, self.break_part, self.copy_part),
            *(self.add_file, self.drop_file, self.move_file, self.empty_file, self.change_package, self.touch),
        ]
        deed = self.random.choice(deeds)
        deed()
        self.write()
        return deed.__name__

    def change_part(self) -> None:
        parts = self._parts()
        if parts:
            parts[self.random.randrange(len(parts))] = self.part()

    def add_part(self) -> None:
        parts = self._parts()
        parts.insert(self.random.randint(0, len(parts)), self.part())

    def drop_part(self) -> None:
        parts = self._parts()
        if parts:
            del parts[self.random.randrange(len(parts))]

    def swap_parts(self) -> None:
        self.random.shuffle(self._parts())

    def copy_part(self) -> None:
        mine = self._parts()
        if mine:
            self._parts().append(self.random.choice(mine))

    def break_part(self) -> None:
        self._parts().append(self.random.choice(self.broken))

    def add_file(self) -> None:
        path = self._path()
        if path not in self.files:
            self.files[path] = [self.part() for _ in range(self.random.randint(2, 6))]

    def drop_file(self) -> None:
        paths = self._modules()
        if len(paths) > 4:
            del self.files[self.random.choice(paths)]

    def move_file(self) -> None:
        paths = self._modules()
        target = self._path()
        if paths and target not in self.files:
            self.files[target] = self.files.pop(self.random.choice(paths))

    def empty_file(self) -> None:
        self._parts().clear()

    def change_package(self) -> None:
        path = self.random.choice(self.packages)
        if path not in self.files:
            self.files[path] = []
        elif self.random.random() < 0.3:
            del self.files[path]
        else:
            self.files[path] = [self.import_(), *([self.part()] if self.random.random() < 0.5 else [])]

    def touch(self) -> None:
        """Writes a file anew as it is."""
        self.on_disk.pop(self.random.choice(sorted(self.on_disk)), None)

    # -- the disk

    def text(self, path: str) -> str:
        return "\n".join(self.files[path])

    def write(self) -> None:
        for path in self.on_disk.keys() - self.files.keys():
            (self.root / path).unlink()
            del self.on_disk[path]
        for path in self.files:
            text = self.text(path)
            if self.on_disk.get(path) != text:
                file = self.root / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
                self.on_disk[path] = text

    # -- sources

    def part(self) -> str:
        raise NotImplementedError

    def import_(self) -> str:
        raise NotImplementedError

    def _modules(self) -> list[str]:
        return sorted(path for path in self.files if path not in self.packages)

    def _path(self) -> str:
        return f"{self.random.choice(FOLDERS)}{self.random.choice(STEMS)}{self.random.choice(self.endings)}"

    def _parts(self) -> list[str]:
        return self.files[self.random.choice(sorted(self.files))]


class PythonProject(Project):
    packages = ("app/__init__.py", "app/core/__init__.py", "lib/__init__.py")
    endings = (".py",)
    broken = ("x = load(1,\n", 'y = """open\n', "def broken(:\n    pass\n", ")\n")

    def part(self) -> str:
        makers = [self.function, self.function, self.class_, self.class_, self.import_, self.import_, self.statement]
        return self.random.choice(makers)()

    def function(self, indent: str = "", method: bool = False) -> str:
        choose = self.random.choice
        parameters = [
            *(["self"] if method else []),
            *self.random.sample(("a", "b=None", f"c: {choose(CLASSES)} = None"), 2),
        ]
        parameters.sort(key=lambda p: "=" in p)
        decorator = f"{indent}@{choose(NAMES)}\n" if self.random.random() < 0.1 else ""
        returns = f" -> {choose(CLASSES)}" if self.random.random() < 0.2 else ""
        body = "".join(f"{indent}    {self.line(method)}\n" for _ in range(self.random.randint(1, 4)))
        return f"{decorator}{indent}def {choose(NAMES)}({', '.join(parameters)}){returns}:\n{body}"

    def class_(self) -> str:
        choose = self.random.choice
        bases = self.random.sample(CLASSES, self.random.randint(0, 2))
        head = f"class {choose(CLASSES)}({', '.join(bases)}):\n"
        fields = f"    item: {choose(CLASSES)}\n    hook = {choose(NAMES)}\n" if self.random.random() < 0.4 else ""
        methods = "".join(self.function("    ", method=True) for _ in range(self.random.randint(1, 3)))
        return head + fields + methods

    def import_(self) -> str:
        choose = self.random.choice
        module = f"{choose(FOLDERS)}{choose(STEMS)}".replace("/", ".")
        package = choose(("app", "app.core", "lib"))
        return choose(
            (
                f"from {module} import {choose(NAMES + CLASSES)}\n",
                f"from {module} import {choose(NAMES)} as {choose(NAMES)}\n",
                f"import {module}\n",
                f"from {package} import {choose(NAMES + CLASSES + STEMS)}\n",
                f"from .{choose(STEMS)} import {choose(NAMES + CLASSES)}\n",
                f"from {module} import *\n",
            )
        )

    def statement(self) -> str:
        choose = self.random.choice
        return choose(
            (
                f"{choose(NAMES)} = {choose(NAMES + CLASSES)}\n",
                f"thing = {choose(CLASSES)}()\n",
                f"TABLE = {{'k': {choose(NAMES)}, 'j': {choose(NAMES)}}}\n",
                f"if {choose(NAMES)}():\n    {choose(NAMES)} = {choose(NAMES)}\n",
                f"thing.{choose(NAMES)}()\n",
                f"__all__ = ['{choose(NAMES)}', '{choose(CLASSES)}']\n",
            )
        )

    def line(self, method: bool) -> str:
        choose = self.random.choice
        lines = [
            f"{choose(NAMES)}({choose(NAMES)})",
            f"a.{choose(NAMES)}()",
            f"return {choose(CLASSES)}()",
            f"return {choose(NAMES)}",
            f"x = {choose(CLASSES)}(); x.{choose(NAMES)}()",
            f"return {choose(NAMES)}(a)",
            f"for x in {choose(NAMES)}(): x.{choose(NAMES)}()",
            f"TABLE['k']({choose(NAMES)})",
            "a()",
            f"thing.{choose(NAMES)}(a)",
            f"yield {choose(NAMES)}",
        ]
        if method:
            lines += [f"self.{choose(NAMES)}()", f"self.item = {choose(NAMES + CLASSES)}", "self.item()"]
            lines += [f"super().{choose(NAMES)}()", f"return self.{choose(NAMES)}"]
        return choose(lines)


class ScriptProject(Project):
    """JavaScript and TypeScript side by side."""

    packages = ("app/index.js", "app/core/index.ts", "lib/index.js")
    endings = (".js", ".ts", ".js", ".ts", ".mjs", ".tsx")
    broken = ("load(1,\n", "const y = `open\n", "function broken( { }\n", "}\n")

    def part(self) -> str:
        makers = [self.function, self.function, self.class_, self.class_, self.import_, self.import_, self.statement]
        return self.random.choice(makers)()

    def function(self) -> str:
        choose = self.random.choice
        name = choose(NAMES)
        body = "".join(f"  {self.line(False)}\n" for _ in range(self.random.randint(1, 4)))
        export = choose(("export ", "export ", "export default ", ""))
        if self.random.random() < 0.3:
            return f"{export.replace('default ', '')}const {name} = (a, b) => {{\n{body}}};\n"
        return f"{export}function {name}(a, b = {choose(NAMES)}) {{\n{body}}}\n"

    def class_(self) -> str:
        choose = self.random.choice
        base = f" extends {choose(CLASSES)}" if self.random.random() < 0.6 else ""
        fields = f"  item = {choose(NAMES)};\n" if self.random.random() < 0.4 else ""
        methods = ""
        for name in self.random.sample((*NAMES, "constructor"), self.random.randint(1, 3)):
            head = "super(a);" if base and name == "constructor" else self.line(True)
            methods += f"  {name}(a) {{\n    {head}\n    {self.line(True)}\n  }}\n"
        return f"export class {choose(CLASSES)}{base} {{\n{fields}{methods}}}\n"

    def import_(self) -> str:
        choose = self.random.choice
        where = choose(("./", "../", "../app/", "../lib/", "./core/", "../../lib/", "./app/", "./lib/"))
        module = choose((f"{where}{choose(STEMS)}", f"{where}{choose(STEMS)}.js", where.rstrip("/"), choose(STEMS)))
        name = choose(NAMES + CLASSES)
        return choose(
            (
                f"import {{ {name} }} from '{module}';\n",
                f"import {{ {name} as {choose(NAMES)} }} from '{module}';\n",
                f"import {name} from '{module}';\n",
                f"import * as {choose(STEMS)} from '{module}';\n",
                f"export {{ {name} }} from '{module}';\n",
                f"export * from '{module}';\n",
                f"export {{ {name} as default }} from '{module}';\n",
                f"const {{ {name} }} = require('{module}');\n",
            )
        )

    def statement(self) -> str:
        choose = self.random.choice
        return choose(
            (
                f"const {choose(NAMES)} = {choose(NAMES + CLASSES)};\n",
                f"export const thing = new {choose(CLASSES)}();\n",
                f"const TABLE = {{ k: {choose(NAMES)}, j() {{ {choose(NAMES)}(); }} }};\n",
                f"module.exports = {{ {choose(NAMES)}, {choose(NAMES)}: {choose(NAMES)} }};\n",
                f"thing.{choose(NAMES)}();\n",
                f"{choose(CLASSES)}.prototype.{choose(NAMES)} = function () {{ this.{choose(NAMES)}(); }};\n",
            )
        )

    def line(self, method: bool) -> str:
        choose = self.random.choice
        lines = [
            f"{choose(NAMES)}({choose(NAMES)});",
            f"a.{choose(NAMES)}();",
            f"return new {choose(CLASSES)}();",
            f"return {choose(NAMES)};",
            f"const x = new {choose(CLASSES)}(); x.{choose(NAMES)}();",
            f"for (const x of {choose(NAMES)}()) x.{choose(NAMES)}();",
            f"TABLE.k({choose(NAMES)}); TABLE['j']();",
            "a();",
            f"thing.{choose(NAMES)}(a);",
            f"{choose(STEMS)}.{choose(NAMES)}(() => {choose(NAMES)}());",
        ]
        if method:
            lines += [f"this.{choose(NAMES)}();", f"this.item = {choose(NAMES)};", "this.item();"]
        return choose(lines)
