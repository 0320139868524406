// The TypeScript compiler's own answer for every written call of a tree: node typescript_oracle.js TYPESCRIPT ROOT
//
// Out, on stdout, one JSON object:
//   definitions  [file, line, column, name, whether it is a signature], numbered by their place; columns in code points
//   sites        {file, line, column, form, answer, targets, implementations, given, open}
//     answer     one | declared (an interface's or abstract member, or one with overrides) | leaves | unknown
//     given      functions that the call hands to what it calls; open: it may hand over others too
//   files, lines
"use strict";
const path = require("path");
const fs = require("fs");
const ts = require(process.argv[2]);
const root = fs.realpathSync(process.argv[3]);
const K = ts.SyntaxKind;

function sources(folder, found) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== "node_modules" && !entry.name.startsWith(".")) sources(full, found);
    } else if (/\.[cm]?tsx?$/.test(entry.name)) found.push(full);
  }
  return found;
}

function options() {
  const found = path.join(root, "tsconfig.json");
  const read = fs.existsSync(found) ? ts.parseJsonConfigFileContent(ts.readConfigFile(found, ts.sys.readFile).config, ts.sys, root).options : {};
  const module = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };
  return {
    strict: true, experimentalDecorators: true, lib: undefined, jsx: ts.JsxEmit.Preserve,
    ...read, ...module, target: ts.ScriptTarget.ESNext, noEmit: true, skipLibCheck: true, allowJs: false, types: ["node"],
    noLib: false, composite: false, incremental: false, rootDir: undefined, outDir: undefined,
    allowImportingTsExtensions: true, customConditions: read.customConditions,
  };
}

const files = sources(root, []);
const program = ts.createProgram(files, options());
const checker = program.getTypeChecker();
const own = new Map(program.getSourceFiles().filter((f) => inside(f.fileName)).map((f) => [f, path.relative(root, f.fileName).split(path.sep).join("/")]));

function inside(name) {
  const real = path.resolve(name);
  return real.startsWith(root + path.sep) && !real.includes(path.sep + "node_modules" + path.sep);
}
const isOwn = (node) => own.has(node.getSourceFile());

function place(file, offset) {
  const { line, character } = file.getLineAndCharacterOfPosition(offset);
  const start = file.getPositionOfLineAndCharacter(line, 0);
  return [line + 1, Array.from(file.text.slice(start, start + character)).length + 1];
}

// -- definitions

const definitions = [];
const numbers = new Map();
function number(node) {
  let known = numbers.get(node);
  if (known === undefined) {
    known = definitions.length;
    const file = node.getSourceFile();
    definitions.push([own.get(file), ...place(file, node.getStart()), name(node), !isFunction(node) && !ts.isClassLike(node)]);
    numbers.set(node, known);
  }
  return known;
}
function name(node) {
  if (node.kind === K.Constructor) return "constructor";
  const holder = node.name ? node : node.parent;
  return holder && holder.name ? holder.name.getText() : "";
}

const unwrap = (node) => {
  while (node && (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isNonNullExpression(node) || ts.isTypeAssertionExpression(node))) node = node.expression;
  return node;
};
const isFunction = (node) => node && (ts.isFunctionExpression(node) || ts.isArrowFunction(node) || ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isConstructorDeclaration(node) || ts.isAccessor(node));
const aliased = (symbol) => (symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);

/** The function (or signature without a body) that a declaration stands for; undefined where it is a plain value. */
function callable(declaration, depth = 0) {
  if (!declaration || depth > 10) return undefined;
  if (isFunction(declaration)) return implementation(declaration);
  if (ts.isMethodSignature(declaration)) return first(declaration);
  if (ts.isPropertySignature(declaration)) return declaration.type && ts.isFunctionTypeNode(declaration.type) ? declaration : undefined;
  if (ts.isShorthandPropertyAssignment(declaration)) {
    const symbol = aliased(checker.getShorthandAssignmentValueSymbol(declaration));
    return symbol && callable(symbol.valueDeclaration, depth + 1);
  }
  if (ts.isVariableDeclaration(declaration) && !(ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const)) return undefined;
  if (ts.isVariableDeclaration(declaration) || ts.isPropertyAssignment(declaration) || ts.isPropertyDeclaration(declaration)) {
    const value = unwrap(declaration.initializer);
    if (!value) return undefined;
    if (isFunction(value)) return value;
    if (ts.isIdentifier(value) || ts.isPropertyAccessExpression(value)) {
      const symbol = aliased(checker.getSymbolAtLocation(value));
      return symbol && callable(symbol.valueDeclaration, depth + 1);
    }
  }
  if (ts.isExportAssignment(declaration)) return isFunction(unwrap(declaration.expression)) ? unwrap(declaration.expression) : undefined;
  return undefined;
}
function implementation(node) {
  if (node.body || !node.symbol) return node;
  const same = (node.symbol.declarations || []).filter((d) => d.kind === node.kind);
  return same.find((d) => d.body) || same[0] || node;
}
function first(node) {
  return (node.symbol && (node.symbol.declarations || []).find((d) => d.kind === node.kind)) || node;
}

// -- implementations: what overrides or implements a member

const below = new Map();
function implement(declaration, by) {
  if (!declaration || !by || declaration === by) return;
  let set = below.get(declaration);
  if (!set) below.set(declaration, (set = new Set()));
  set.add(by);
}
function callables(symbol) {
  return symbol ? (symbol.declarations || []).map((d) => callable(d)).filter(Boolean) : [];
}
const shapes = [];
/** [names of its members, node] of classes and object literals: what fits an interface by its structure. */

function relate(node) {
  if (ts.isClassLike(node)) {
    const type = checker.getTypeAtLocation(node);
    const names = new Set(checker.getPropertiesOfType(type).map((p) => p.name));
    shapes.push([names, node]);
    for (const clause of node.heritageClauses || []) {
      for (const each of clause.types) {
        for (const member of checker.getPropertiesOfType(checker.getTypeAtLocation(each))) {
          const mine = checker.getPropertyOfType(type, member.name);
          if (mine && mine !== member) for (const a of callables(member)) for (const b of callables(mine)) implement(a, b);
        }
      }
    }
  } else if (ts.isObjectLiteralExpression(node)) {
    shapes.push([new Set(node.properties.map((p) => (p.name ? p.name.getText() : ""))), node]);
    const expected = checker.getContextualType(node);
    if (expected) {
      const parts = expected.isUnion() ? expected.types : [expected];
      for (const each of node.properties) {
        if (!each.name || ts.isComputedPropertyName(each.name)) continue;
        const value = each.initializer && unwrap(each.initializer);
        const arms = value && ts.isConditionalExpression(value) ? [unwrap(value.whenTrue), unwrap(value.whenFalse)].filter(isFunction) : [];
        for (const mine of [callable(each), ...arms]) if (mine) for (const part of parts) for (const a of callables(checker.getPropertyOfType(part, each.name.text))) implement(a, mine);
      }
    }
  } else if (ts.isBindingElement(node) && node.initializer && ts.isObjectBindingPattern(node.parent)) {
    // A default stands in for a member that was not given.
    const value = unwrap(node.initializer);
    const mine = isFunction(value) ? value : ts.isIdentifier(value) ? callables(aliased(checker.getSymbolAtLocation(value)))[0] : undefined;
    const key = node.propertyName || node.name;
    if (mine && ts.isIdentifier(key)) {
      for (const a of callables(checker.getPropertyOfType(checker.getTypeAtLocation(node.parent), key.text))) implement(a, mine);
    }
  } else if (ts.isInterfaceDeclaration(node) && node.heritageClauses) {
    const type = checker.getTypeAtLocation(node);
    for (const clause of node.heritageClauses) {
      for (const each of clause.types) {
        for (const member of checker.getPropertiesOfType(checker.getTypeAtLocation(each))) {
          const mine = checker.getPropertyOfType(type, member.name);
          if (mine && mine !== member) for (const a of callables(member)) for (const b of callables(mine)) implement(a, b);
        }
      }
    }
  }
  ts.forEachChild(node, relate);
}
function closure(declaration) {
  const seen = new Set();
  const todo = [declaration];
  while (todo.length) {
    for (const each of below.get(todo.pop()) || []) {
      if (!seen.has(each) && each !== declaration) {
        seen.add(each);
        todo.push(each);
      }
    }
  }
  return [...seen].filter(isOwn);
}
const fitting = new Map();
/** Members of that name in classes and objects that have all members of the interface. */
function structural(declaration) {
  const holder = declaration.parent;
  if (!holder || !declaration.name || !(ts.isInterfaceDeclaration(holder) || ts.isTypeLiteralNode(holder) || ts.isClassLike(holder))) return [];
  let known = fitting.get(declaration);
  if (known) return known;
  known = [];
  const wanted = checker.getPropertiesOfType(checker.getTypeAtLocation(holder)).filter((p) => !(p.flags & ts.SymbolFlags.Optional)).map((p) => p.name);
  const member = declaration.name.getText();
  for (const [names, node] of shapes) {
    if (!names.has(member) || !wanted.every((each) => names.has(each))) continue;
    const found = ts.isClassLike(node) ? checker.getPropertyOfType(checker.getTypeAtLocation(node), member) : undefined;
    const mine = found ? callables(found) : (node.properties || []).filter((p) => p.name && p.name.getText() === member).map((p) => callable(p));
    for (const each of mine) if (each && each !== declaration && isOwn(each)) known.push(each);
  }
  fitting.set(declaration, known);
  return known;
}

const above = new Map();
/** The classes and interfaces that a class stands below. */
function ancestors(node) {
  let known = above.get(node);
  if (known) return known;
  above.set(node, (known = new Set()));
  for (const clause of node.heritageClauses || []) {
    for (const each of clause.types) {
      const symbol = checker.getTypeAtLocation(each).symbol;
      for (const base of (symbol && symbol.declarations) || []) {
        known.add(base);
        if (ts.isClassLike(base) || ts.isInterfaceDeclaration(base)) for (const more of ancestors(base)) known.add(more);
      }
    }
  }
  return known;
}
const heirs = new Map();
/** Of the members those that an object of the receiver's declared class may have. */
function belowReceiver(members, callee) {
  const bare = unwrap(callee);
  if (!members.length || !ts.isPropertyAccessExpression(bare)) return members;
  const type = checker.getNonNullableType(checker.getApparentType(checker.getTypeAtLocation(bare.expression)));
  const home = type.symbol && !type.isUnion() && (type.symbol.declarations || []).find(ts.isClassLike);
  if (!home) return members;
  let classes = heirs.get(home);
  if (!classes) heirs.set(home, (classes = shapes.map((each) => each[1]).filter((node) => ts.isClassLike(node) && (node === home || ancestors(node).has(home)))));
  const name = bare.name.text;
  const own = new Set(classes.flatMap((node) => callables(checker.getPropertyOfType(checker.getTypeAtLocation(node), name))));
  return members.filter((each) => own.has(each));
}

// -- sites

function lastName(callee) {
  let node = callee;
  while (ts.isNonNullExpression(node) || ts.isExpressionWithTypeArguments(node)) node = node.expression;
  if (ts.isIdentifier(node) || node.kind === K.SuperKeyword) return node;
  if (ts.isPropertyAccessExpression(node)) return node.name;
  return undefined;
}
function form(node, callee) {
  if (ts.isNewExpression(node)) return "new";
  if (ts.isTaggedTemplateExpression(node)) return "template";
  if (callee.kind === K.SuperKeyword) return "super()";
  callee = unwrap(callee);
  if (ts.isIdentifier(callee)) {
    const symbol = checker.getSymbolAtLocation(callee);
    if (!symbol) return "name";
    if (symbol.flags & ts.SymbolFlags.Alias) return "imported name";
    const declared = symbol.valueDeclaration;
    if (declared && (ts.isParameter(declared) || ts.isBindingElement(declared))) return "parameter";
    return "name";
  }
  if (ts.isPropertyAccessExpression(callee)) {
    const base = unwrap(callee.expression);
    if (base.kind === K.ThisKeyword) return "this.m";
    if (base.kind === K.SuperKeyword) return "super.m";
    if (ts.isCallExpression(base) || ts.isAwaitExpression(base)) return "call().m";
    if (ts.isNewExpression(base)) return "new().m";
    if (ts.isPropertyAccessExpression(base)) return unwrap(base.expression).kind === K.ThisKeyword ? "this.x.m" : "a.b.m";
    if (ts.isElementAccessExpression(base)) return "a[i].m";
    if (ts.isIdentifier(base)) {
      const symbol = checker.getSymbolAtLocation(base);
      if (symbol && symbol.flags & ts.SymbolFlags.Alias) return "import.m";
      const declared = symbol && symbol.valueDeclaration;
      if (declared && ts.isParameter(declared)) return declared.type ? "typed parameter.m" : "parameter.m";
      return "variable.m";
    }
    return "expression.m";
  }
  if (ts.isElementAccessExpression(callee)) return "a[i]";
  return "expression";
}

function classOf(expression) {
  const symbol = aliased(checker.getSymbolAtLocation(unwrap(expression)));
  const declared = symbol && (symbol.declarations || []).find(ts.isClassLike);
  if (declared) return declared;
  if (symbol && symbol.valueDeclaration && ts.isVariableDeclaration(symbol.valueDeclaration)) {
    const value = unwrap(symbol.valueDeclaration.initializer);
    if (value && ts.isClassLike(value)) return value;
  }
  const type = checker.getTypeAtLocation(expression);
  const found = type.symbol && type.symbol.flags & ts.SymbolFlags.Class && (type.symbol.declarations || []).find(ts.isClassLike);
  return found || undefined;
}

function resolve(node, callee) {
  const signature = checker.getResolvedSignature(node);
  let declaration = signature && signature.declaration;
  // A subclass may be constructed too.
  if (ts.isNewExpression(node) && unwrap(callee).kind === K.ThisKeyword) return { answer: "unknown" };
  if (ts.isNewExpression(node) || callee.kind === K.SuperKeyword) {
    if (declaration && ts.isConstructorDeclaration(declaration) && isOwn(declaration)) return { answer: "one", targets: [implementation(declaration)] };
    const made = callee.kind === K.SuperKeyword ? undefined : classOf(node.expression);
    if (made && isOwn(made)) return { answer: "one", targets: [made] };
    if (declaration && !isOwn(declaration)) return { answer: callee.kind === K.SuperKeyword || outsideSymbol(callee) ? "leaves" : "unknown" };
    if (made) return { answer: "leaves" };
    if (callee.kind === K.SuperKeyword) {
      const base = checker.getTypeAtLocation(callee);
      const found = base.symbol && (base.symbol.declarations || []).find(ts.isClassLike);
      if (found) return isOwn(found) ? { answer: "one", targets: [found] } : { answer: "leaves" };
    }
    return { answer: "unknown" };
  }
  if (!declaration) return { answer: "unknown" };
  const bare = unwrap(callee);
  if (ts.isBinaryExpression(bare) || ts.isConditionalExpression(bare)) return { answer: "unknown" };
  const symbol = aliased(checker.getSymbolAtLocation(lastName(callee) || callee));
  if (symbol && carries(symbol.valueDeclaration, declaration)) return { answer: "unknown" };
  const several = symbol ? [...new Set(callables(symbol))] : [];
  let target = isOwn(declaration) ? callable(declaration) : declaration;
  if (isOwn(declaration) && !target) {
    const holder = declaration.parent;
    if (ts.isFunctionTypeNode(declaration) && holder && ts.isPropertySignature(holder)) target = holder;
    else if (several.length === 1 && isOwn(several[0])) target = several[0];
    else return { answer: "unknown" };
  }
  if (!isOwn(declaration)) {
    if (several.length && several.every(isOwn)) target = several[0];
    else if (!outsideSymbol(callee)) return { answer: "unknown" };
    else return { answer: "leaves", declaration };
  }
  if (isFunction(target) && !ts.isMethodDeclaration(target) && several.length <= 1) {
    // A function type that a variable is declared with hides which function it holds.
    const holder = target.parent;
    if (ts.isParameter(holder)) return { answer: "unknown" };
  }
  const targets = [...new Set([target, ...several.filter(isOwn)])];
  return { answer: "one", targets };
}
/** Whether a variable may hold another function than the one that its type happens to be declared by. */
function carries(declared, declaration) {
  if (!declared || !isFunction(declaration)) return false;
  if (ts.isParameter(declared) || ts.isBindingElement(declared)) return true;
  if (!ts.isVariableDeclaration(declared)) return false;
  if (!(ts.getCombinedNodeFlags(declared) & ts.NodeFlags.Const)) return true;
  const value = unwrap(declared.initializer);
  return Boolean(value) && (ts.isBinaryExpression(value) || ts.isConditionalExpression(value) || ts.isElementAccessExpression(value));
}
function outsideSymbol(callee) {
  const symbol = aliased(checker.getSymbolAtLocation(lastName(callee) || callee));
  if (!symbol || !symbol.declarations || !symbol.declarations.length) return !symbol ? false : true;
  return symbol.declarations.every((d) => !isOwn(d));
}

function given(node) {
  const found = [];
  let open = false;
  const callee = ts.isTaggedTemplateExpression(node) ? node.tag : node.expression;
  const parts = ts.isTaggedTemplateExpression(node) ? [] : [...(node.arguments || [])];
  const bare = unwrap(callee);
  if (ts.isPropertyAccessExpression(bare)) parts.push(bare.expression);
  for (const part of parts) {
    const value = unwrap(part);
    if (isFunction(value)) found.push(value);
    else if (ts.isStringLiteralLike(value) || ts.isNumericLiteral(value)) continue;
    else if (ts.isIdentifier(value) || ts.isPropertyAccessExpression(value)) {
      const symbol = aliased(checker.getSymbolAtLocation(value));
      const known = symbol && callable(symbol.valueDeclaration);
      if (known && isOwn(known)) found.push(known);
      else open = true;
    } else open = true;
  }
  return [found, open];
}

const sites = [];
function visit(node, file, relative) {
  if (ts.isCallExpression(node) || ts.isNewExpression(node) || ts.isTaggedTemplateExpression(node)) {
    const callee = ts.isTaggedTemplateExpression(node) ? node.tag : node.expression;
    if (callee.kind !== K.ImportKeyword) {
      const token = lastName(callee);
      const after = ts.isTaggedTemplateExpression(node) ? node.template.getStart() : node.arguments ? node.arguments.pos - 1 : callee.getStart();
      const [line, column] = place(file, token ? token.getStart() : after);
      const site = { file: relative, line, column, form: form(node, callee) };
      let found;
      try {
        found = resolve(node, callee);
      } catch (error) {
        found = { answer: "unknown" };
      }
      site.answer = found.answer;
      const targets = found.targets || [];
      site.targets = targets.filter(isOwn).map(number);
      const declared = found.declaration ? [found.declaration, ...callables({ declarations: [found.declaration] })] : targets;
      // What `super` and `new` name is exactly that.
      const exact = site.form === "super.m" || site.form === "super()" || site.form === "new" || site.form === "new().m";
      const under = exact ? [] : belowReceiver([...new Set(declared.flatMap((each) => closure(each)))], callee);
      site.implementations = under.map(number);
      if (found.answer === "one" && (under.length || targets.some((t) => !isFunction(t) && !ts.isClassLike(t)) || targets.some((t) => isFunction(t) && !t.body))) site.answer = "declared";
      site.fitting = site.answer === "declared" || found.answer === "leaves" ? [...new Set(declared.flatMap((each) => structural(each)))].map(number) : [];
      if (found.answer !== "unknown") {
        const [functions, open] = given(node);
        site.given = functions.map(number);
        site.open = open;
      }
      sites.push(site);
    }
  }
  ts.forEachChild(node, (child) => visit(child, file, relative));
}

for (const [file] of own) relate(file);
for (const [file, relative] of own) visit(file, file, relative);
let lines = 0;
for (const [file] of own) lines += file.getLineStarts().length;
process.stdout.write(JSON.stringify({ definitions, sites, files: own.size, lines }));
