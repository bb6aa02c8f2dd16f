// @ts-check
import { join, relative } from 'node:path';
import ts from 'typescript';
import { readText } from './source-files.mjs';

/** @typedef {import('./problem.mjs').Problem} Problem */

/**
 * Every name that an entry point of package.json exports has a TSDoc comment; every function and
 * value among them has an `@example` in a ```ts fence.
 *
 * @param {string} root
 * @returns {Problem[]}
 */
export function checkTsdoc(root) {
  const entryPoints = entryPointsOf(root);
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config,
    ts.sys,
    root,
  );
  const program = ts.createProgram(
    entryPoints.map(({ file }) => join(root, file)),
    options,
  );
  const checker = program.getTypeChecker();
  /** @type {Map<string, Problem>} */
  const problems = new Map();
  for (const { entryPoint, file } of entryPoints) {
    const source = program.getSourceFile(join(root, file));
    const symbol = source && checker.getSymbolAtLocation(source);
    const names = symbol === undefined ? [] : checker.getExportsOfModule(symbol);
    if (names.length === 0) {
      problems.set(file, {
        file,
        line: 1,
        message: `the entry point ${entryPoint} gives nothing out`,
      });
      continue;
    }
    for (const exported of names) {
      const declarations = declarationsOf(checker, exported);
      const problem = problemOf(declarations);
      const place = declarations.at(-1);
      if (problem === undefined || place === undefined) continue;
      const at = place.getSourceFile();
      const found = {
        file: relative(root, at.fileName),
        line: at.getLineAndCharacterOfPosition(place.getStart()).line + 1,
        message: `${exported.name} (entry point ${entryPoint}) ${problem}`,
      };
      problems.set(`${found.file}:${found.line}`, found);
    }
  }
  return [...problems.values()];
}

/**
 * The entry points of package.json and the source files that they are built from.
 *
 * @param {string} root
 * @returns {{ entryPoint: string, file: string }[]}
 */
export function entryPointsOf(root) {
  /** @type {{ exports: Record<string, string | { types: string }> }} */
  const { exports } = JSON.parse(readText(root, 'package.json'));
  return Object.entries(exports).flatMap(([entryPoint, target]) =>
    typeof target === 'string'
      ? []
      : [{ entryPoint, file: target.types.replace(/^\.\/dist\//, '').replace(/\.d\.ts$/, '.ts') }],
  );
}

/**
 * The declarations of a name, from the entry point to its definition.
 *
 * @param {ts.TypeChecker} checker
 * @param {ts.Symbol} exported
 * @returns {ts.Declaration[]}
 */
function declarationsOf(checker, exported) {
  const declarations = [...(exported.declarations ?? [])];
  let symbol = exported;
  while ((symbol.flags & ts.SymbolFlags.Alias) !== 0) {
    const next = checker.getImmediateAliasedSymbol(symbol);
    if (next === undefined) break;
    symbol = next;
    declarations.push(...(symbol.declarations ?? []));
  }
  return declarations;
}

/**
 * @param {readonly ts.Declaration[]} declarations
 * @returns {string | undefined}
 */
function problemOf(declarations) {
  const comments = declarations
    .flatMap((each) => commentsOf(each))
    .map((comment) => comment.getText());
  if (comments.length === 0) return 'has no TSDoc comment';
  const isType = declarations.every(
    (each) =>
      ts.isInterfaceDeclaration(each) ||
      ts.isTypeAliasDeclaration(each) ||
      ts.isExportSpecifier(each),
  );
  return isType || comments.some((text) => /@example[\s*]*```ts\s/.test(text))
    ? undefined
    : 'has no @example with a ```ts block in its TSDoc comment';
}

/**
 * @param {ts.Declaration} declaration
 * @returns {readonly ts.Node[]}
 */
function commentsOf(declaration) {
  const owner = ts.isExportSpecifier(declaration) ? declaration.parent.parent : declaration;
  return ts.getJSDocCommentsAndTags(owner).filter((each) => ts.isJSDoc(each));
}
