import { existsSync, readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const howTo = 'docs/how-to/mount-in-your-framework.md';
const pages = [howTo, ...readdirSync('docs/hosts').map((file) => `docs/hosts/${file}`)];
const hosts = readdirSync('hosts').filter((name) => existsSync(`hosts/${name}/host.json`));

const block = /^<!-- (hosts\/\S+) -->\n```(\w+)(.*)\n[\s\S]*?^```$/gm;

/** A page with the files that it names, as they are. */
function filled(text: string): string {
  return text.replace(block, (_, file: string, language: string, marks: string) => {
    return `<!-- ${file} -->\n\`\`\`${language}${marks}\n${readFileSync(file, 'utf8')}\`\`\``;
  });
}

/** How many lines mount the service: those of the innermost statements that name `deals`. */
function glueOf(file: string): number {
  const source = ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.ES2022,
    true,
  );
  const isNamed = (node: ts.Node): boolean =>
    (ts.isIdentifier(node) || ts.isStringLiteral(node)
      ? /^(?:deals|dealwright)$|^\/deals/.test(node.text)
      : false) ||
    (ts.forEachChild(node, (child) => isNamed(child) || undefined) ?? false);
  const count = (node: ts.Node): number => {
    const inner = ts.forEachChild(node, (child) => count(child) || undefined) ?? 0;
    const isOwn = ts.isStatement(node) && !ts.isBlock(node) && !ts.isImportDeclaration(node);
    if (inner > 0) return sumOf(node);
    return isOwn && isNamed(node) ? node.getText().split('\n').length : 0;
  };
  const sumOf = (node: ts.Node): number => {
    let sum = 0;
    ts.forEachChild(node, (child) => {
      sum += count(child);
    });
    return sum;
  };
  return sumOf(source);
}

describe.each(pages)('%s', (page) => {
  // npx vitest run test/docs/host-pages.test.ts -u writes the files into the pages anew
  it('shows the files that the matrix runs', async () => {
    const text = readFileSync(page, 'utf8');
    expect([...text.matchAll(block)].length).toBeGreaterThan(0);
    await expect(filled(text)).toMatchFileSnapshot(
      new URL(`../../${page}`, import.meta.url).pathname,
    );
  });
});

it('marks nothing else as a file of a host, which the check of snippets leaves out', () => {
  const documents = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`);
  const marked = documents.filter((file) => /^```\w+ .*\bhost\b/m.test(readFileSync(file, 'utf8')));
  expect(marked.sort()).toEqual([...pages].sort());
  for (const page of pages) {
    const text = readFileSync(page, 'utf8');
    const fences = [...text.matchAll(/^```\w+ .*\bhost\b/gm)];
    const files = [...text.matchAll(block)].filter(([, , , marks]) => marks?.includes('host'));
    expect(fences).toHaveLength(files.length);
  }
});

describe.each(hosts)('hosts/%s', (host) => {
  const {
    template = host,
    title,
    mount,
  } = JSON.parse(readFileSync(`hosts/${host}/host.json`, 'utf8'));
  const page = `docs/hosts/${template}.md`;

  it('has a page of the same shape as every other, which shows its mount', () => {
    const text = readFileSync(page, 'utf8');
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)).toEqual([
      'Install',
      'Mount',
      'Prefix',
      'Your own users',
      'Uploads',
      'What you must know',
    ]);
    if (mount !== undefined) expect(text).toContain(`<!-- hosts/${template}/${mount} -->`);
    expect(readFileSync(howTo, 'utf8')).toContain(`](../hosts/${template}.md)`);
  });

  it('has its line in the table of hosts', () => {
    const table = readFileSync('docs/reference/hosts.md', 'utf8');
    expect(table).toContain(`\n| [${title}](../hosts/${template}.md) |`);
  });
});

describe.each(hosts.filter((host) => existsSync(`hosts/${host}/package.json`)))(
  'hosts/%s',
  (host) => {
    it('mounts the service in three lines at most', () => {
      const { mount } = JSON.parse(readFileSync(`hosts/${host}/host.json`, 'utf8'));
      const glue = glueOf(`hosts/${host}/${mount}`);
      expect(glue).toBeGreaterThan(0);
      expect(glue).toBeLessThanOrEqual(3);
    });
  },
);
