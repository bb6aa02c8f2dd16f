// @ts-check
import ts from 'typescript';
import { listFiles, readText } from './source-files.mjs';

/** @typedef {import('./problem.mjs').Problem} Problem */

const longestFile = 450;

/** Facts about the surroundings of the core: they come through ports. */
const ambientMembers = new Set(['Date.now', 'Date.parse', 'Math.random', 'import.meta']);
const ambientNames = new Set([
  'crypto',
  'eval',
  'Function',
  'globalThis',
  'Intl',
  'performance',
  'queueMicrotask',
]);
/** Answers that depend on the locale of the machine. */
const localeMembers = /^(toLocale\w+|localeCompare)$/;
const mutators =
  /^(set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin)$/;
const testFunctions = new Set(['describe', 'it', 'suite', 'test']);
const skips = new Set(['fails', 'only', 'runIf', 'skip', 'skipIf', 'todo']);

/**
 * The rules that no compiler and no linter here checks. In the core: no clock, no randomness, no
 * locale, no state of a module. Everywhere: no `any`, no forced cast, no silenced compiler, no
 * skipped test, no long file.
 *
 * @param {string} root
 * @returns {Problem[]}
 */
export function checkSources(root) {
  return listFiles(
    root,
    ['src', 'spec', 'adapters', 'test', 'scripts', 'bench', 'examples'],
    /\.m?tsx?$|\.mjs$/,
  )
    .filter((file) => !file.endsWith('.d.ts'))
    .flatMap((file) => checkSource(file, readText(root, file)));
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {Problem[]}
 */
export function checkSource(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  // the kit of the tests numbers its objects; production code never imports it
  const isCore = file.startsWith('src/');
  const isShipped = /^(src|spec|adapters)\//.test(file);
  /** @type {Problem[]} */
  const problems = [];
  /** @param {number} at @param {string} message */
  const report = (at, message) => {
    problems.push({ file, line: source.getLineAndCharacterOfPosition(at).line + 1, message });
  };
  const moduleNames = isCore ? namesOfModule(source, report) : new Set();
  /** @type {[number, number][]} */
  const texts = [];

  /** @param {ts.Node} node @param {boolean} inFunction */
  const visit = (node, inFunction) => {
    if (isText(node)) {
      texts.push([node.getStart(), node.getEnd()]);
    }
    const problem =
      escapeOf(node) ??
      skipOf(node) ??
      (isCore
        ? (ambientOf(node) ?? (inFunction ? changeOf(node, moduleNames) : undefined))
        : undefined);
    if (problem !== undefined) report(node.getStart(), problem);
    ts.forEachChild(node, (child) => visit(child, inFunction || ts.isFunctionLike(node)));
  };
  visit(source, false);

  const silencers = isShipped ? /@ts-(?:ignore|nocheck|expect-error)/g : /@ts-(?:ignore|nocheck)/g;
  for (const { 0: word, index } of text.matchAll(silencers)) {
    if (texts.some(([from, to]) => index >= from && index < to)) continue;
    report(index, `${word} silences the compiler: mend the type`);
  }
  const lines = source.getLineStarts().length;
  if (lines - 1 > longestFile) {
    report(
      0,
      `${lines - 1} lines: a file has at most ${longestFile}; split it by what it is about`,
    );
  }
  return problems.sort((a, b) => a.line - b.line);
}

/**
 * @param {ts.Node} node
 * @returns {string | undefined}
 */
function escapeOf(node) {
  if (node.kind === ts.SyntaxKind.AnyKeyword) return '`any` switches the types off: say what it is';
  if (!ts.isAsExpression(node)) return undefined;
  let inner = node.expression;
  while (ts.isParenthesizedExpression(inner)) inner = inner.expression;
  return ts.isAsExpression(inner) && inner.type.kind === ts.SyntaxKind.UnknownKeyword
    ? '`as unknown as` forces a type: parse the value, or mend its type'
    : undefined;
}

/**
 * @param {ts.Node} node
 * @returns {string | undefined}
 */
function skipOf(node) {
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
    const name = node.expression.text;
    return /^x(describe|it|test)$/.test(name) ? `${name} skips a test` : undefined;
  }
  if (!ts.isPropertyAccessExpression(node) || !skips.has(node.name.text)) return undefined;
  let owner = node.expression;
  while (ts.isPropertyAccessExpression(owner)) owner = owner.expression;
  return ts.isIdentifier(owner) && testFunctions.has(owner.text)
    ? `${node.getText()} leaves tests out: mend the test, or take it away`
    : undefined;
}

/**
 * @param {ts.Node} node
 * @returns {string | undefined}
 */
function ambientOf(node) {
  if (ts.isMetaProperty(node)) return 'import.meta is the surroundings: use a port';
  if (ts.isPropertyAccessExpression(node)) {
    if (ambientMembers.has(node.getText())) return `${node.getText()} is ambient: use a port`;
    if (localeMembers.test(node.name.text)) {
      return `${node.name.text} depends on the locale of the machine`;
    }
  }
  const isDate =
    (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
    ts.isIdentifier(node.expression) &&
    node.expression.text === 'Date';
  if (isDate && (ts.isCallExpression(node) || (node.arguments ?? []).length === 0)) {
    return `${node.getText()} reads the clock of the machine: use the clock port`;
  }
  if (ts.isIdentifier(node) && ambientNames.has(node.text) && !isNameOfMember(node)) {
    return `${node.text} is ambient: use a port`;
  }
  return undefined;
}

/**
 * @param {ts.Identifier} node
 * @returns {boolean}
 */
function isNameOfMember(node) {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isMethodSignature(parent)
  );
}

/**
 * The names that a module declares. It reports those that can be bound again, and containers that
 * start empty: they would be filled later.
 *
 * @param {ts.SourceFile} source
 * @param {(at: number, message: string) => void} report
 * @returns {Set<string>}
 */
function namesOfModule(source, report) {
  const names = new Set();
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    if ((statement.declarationList.flags & ts.NodeFlags.Const) === 0) {
      report(
        statement.getStart(),
        'a module has no variable that changes: it would be global state',
      );
    }
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (ts.isIdentifier(name)) names.add(name.text);
      if (initializer !== undefined && isEmptyContainer(initializer)) {
        report(name.getStart(), `${name.getText()} starts empty to be filled: it is global state`);
      }
    }
  }
  return names;
}

/**
 * @param {ts.Expression} node
 * @returns {boolean}
 */
function isEmptyContainer(node) {
  return (
    ts.isNewExpression(node) &&
    /^(Weak)?(Map|Set)$/.test(node.expression.getText()) &&
    (node.arguments ?? []).length === 0
  );
}

/**
 * @param {ts.Node} node
 * @param {Set<string>} moduleNames
 * @returns {string | undefined}
 */
function changeOf(node, moduleNames) {
  const changed = ts.isDeleteExpression(node)
    ? node.expression
    : ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)
      ? node.left
      : isStep(node)
        ? node.operand
        : ts.isCallExpression(node) &&
            ts.isPropertyAccessExpression(node.expression) &&
            mutators.test(node.expression.name.text)
          ? node.expression
          : undefined;
  if (changed === undefined) return undefined;
  let owner = changed;
  while (ts.isPropertyAccessExpression(owner) || ts.isElementAccessExpression(owner)) {
    owner = owner.expression;
  }
  return ts.isIdentifier(owner) && moduleNames.has(owner.text)
    ? `${owner.text} belongs to the module and is changed here: it is global state`
    : undefined;
}

/** @param {ts.SyntaxKind} kind */
function isAssignment(kind) {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

/**
 * @param {ts.Node} node
 * @returns {node is ts.PrefixUnaryExpression | ts.PostfixUnaryExpression}
 */
function isStep(node) {
  return (
    (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) &&
    (node.operator === ts.SyntaxKind.PlusPlusToken ||
      node.operator === ts.SyntaxKind.MinusMinusToken)
  );
}

/**
 * Whether a node only mentions such words: a string, a template, a pattern.
 *
 * @param {ts.Node} node
 * @returns {boolean}
 */
function isText(node) {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isTemplateExpression(node) ||
    ts.isRegularExpressionLiteral(node)
  );
}
