// @ts-check
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { listFiles, readText } from './source-files.mjs';

/** @typedef {import('./problem.mjs').Problem} Problem */

/**
 * A ```ts block of a document or of an `@example`.
 *
 * @typedef {object} Snippet
 * @property {string} file relative to the root
 * @property {number} line of its first line of code
 * @property {string} code
 * @property {boolean} runs
 * @property {string} [folder] the folder whose modules it imports, relative to the root
 */

/** Git-ignored, and inside the package, so that `dealwright/...` resolves. */
const workshop = 'reports/snippets';

/**
 * The blocks of README.md, CONTRIBUTING.md and docs, which compile and run, unless they are marked
 * ```ts no-run, and the blocks in the comments of src and adapters, which compile. A block that is
 * marked `in=examples/folder` imports the modules of that folder by their relative paths, and does not
 * run: a test runs the example. One that is marked `host` is a file of a project in hosts/, which
 * compiles and runs there.
 *
 * @param {string} root
 * @returns {Snippet[]}
 */
export function findSnippets(root) {
  const documents = [
    ...['README.md', 'CONTRIBUTING.md'].filter((file) => existsSync(join(root, file))),
    ...listFiles(root, ['docs'], /\.md$/),
  ];
  return [
    ...documents.flatMap((file) => blocksOf(file, readText(root, file).split('\n'))),
    ...listFiles(root, ['src', 'spec', 'adapters'], /\.ts$/).flatMap((file) => {
      const lines = readText(root, file).split('\n');
      return blocksOf(
        file,
        lines.map((line) => /^\s*\* ?(.*)$/.exec(line)?.[1] ?? ''),
      ).map((block) => ({ ...block, runs: false }));
    }),
  ];
}

/**
 * @param {string} file
 * @param {readonly string[]} lines
 * @returns {Snippet[]}
 */
function blocksOf(file, lines) {
  /** @type {Snippet[]} */
  const blocks = [];
  /** @type {{ indent: string, at: number, info: string } | undefined} */
  let open;
  lines.forEach((line, at) => {
    if (open === undefined) {
      const fence = /^(\s*)```(\S.*)?$/.exec(line);
      if (fence !== null) open = { indent: fence[1] ?? '', at, info: (fence[2] ?? '').trim() };
    } else if (/^\s*```\s*$/.test(line)) {
      const { indent, info } = open;
      const [language, ...marks] = info.split(/\s+/);
      const folder = marks.find((mark) => mark.startsWith('in='))?.slice('in='.length);
      const isTypeScript = language === 'ts' || language === 'typescript';
      if (isTypeScript && !marks.includes('host')) {
        blocks.push({
          file,
          line: open.at + 2,
          code: lines
            .slice(open.at + 1, at)
            .map((each) => (each.startsWith(indent) ? each.slice(indent.length) : each))
            .join('\n'),
          runs: !marks.includes('no-run') && folder === undefined,
          ...(folder !== undefined && { folder }),
        });
      }
      open = undefined;
    }
  });
  return blocks;
}

/** @type {ts.CompilerOptions} */
const options = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  noEmit: true,
};

/**
 * Compiles all of them in one program, each as its own module, against the built package, as a user
 * who installed it would.
 *
 * @param {string} root
 * @param {readonly Snippet[]} snippets
 * @returns {Problem[]}
 */
export function compileSnippets(root, snippets) {
  const byPath = new Map(
    snippets.map((snippet, index) => [
      join(root, snippet.folder ?? workshop, `${index}.ts`),
      snippet,
    ]),
  );
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.getCurrentDirectory = () => root;
  host.fileExists = (path) => byPath.has(path) || fileExists(path);
  host.readFile = (path) => byPath.get(path)?.code ?? readFile(path);
  host.getSourceFile = (path, language, ...rest) => {
    const snippet = byPath.get(path);
    return snippet === undefined
      ? getSourceFile(path, language, ...rest)
      : ts.createSourceFile(path, snippet.code, language);
  };
  const program = ts.createProgram([...byPath.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).flatMap((diagnostic) => {
    const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n  ');
    const snippet = byPath.get(diagnostic.file?.fileName ?? '');
    if (snippet === undefined || diagnostic.file === undefined) {
      return [{ file: diagnostic.file?.fileName ?? workshop, line: 1, message }];
    }
    const { line } = diagnostic.file.getLineAndCharacterOfPosition(diagnostic.start ?? 0);
    return [{ file: snippet.file, line: snippet.line + line, message }];
  });
}

/**
 * Runs all of them, one after the other, in one program, and returns whether it ends well and in
 * time: then each would by itself, in a fraction of the time. A failure does not name its snippet.
 *
 * @param {string} root
 * @param {readonly Snippet[]} snippets
 * @returns {Promise<boolean>}
 */
export async function runTogether(root, snippets) {
  const imports = snippets.map((each) => `await import('./${writeProgram(root, each)}');`);
  // a block that ends the program early skips those after it
  const program = `${imports.join('\n')}\nprocess.send('all');\nprocess.disconnect();\n`;
  const name = `all-${process.pid}.mjs`;
  writeFileSync(join(root, workshop, name), program);
  const child = spawn(process.execPath, [name], {
    cwd: join(root, workshop),
    timeout: 100_000,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let isDone = false;
  child.once('message', () => {
    isDone = true;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  rmSync(join(root, workshop, name));
  return isDone && code === 0;
}

/**
 * Runs one as its own program, and returns a problem if it does not end well and in time.
 *
 * @param {string} root
 * @param {Snippet} snippet
 * @returns {Promise<Problem | undefined>}
 */
export async function runSnippet(root, snippet) {
  const folder = join(root, workshop);
  const name = writeProgram(root, snippet);
  const child = spawn(process.execPath, [join(folder, name)], {
    cwd: folder,
    timeout: 20_000,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    errors += text;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code === 0) return undefined;
  const line = Number(new RegExp(`${name}:(\\d+)`).exec(errors)?.[1] ?? 1);
  const message = code === null ? 'did not end within 20 s' : `ended with code ${code}`;
  // the program has no blank lines and types, so the line within the block is near, not exact
  return {
    file: snippet.file,
    line: snippet.line + line - 1,
    message: `${message}\n${errors}`.trim(),
  };
}

/**
 * @param {string} root
 * @param {Snippet} snippet
 * @returns {string} the name of the program in the workshop
 */
function writeProgram(root, { file, line, code }) {
  mkdirSync(join(root, workshop), { recursive: true });
  const name = `${file.replaceAll('/', '-')}-${line}.mjs`;
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: options,
    // the module kind of a file follows from its ending
    fileName: 'snippet.mts',
  });
  writeFileSync(join(root, workshop, name), outputText);
  return name;
}
