import { existsSync, readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { anchorOf } from '../../scripts/hosts/anchor.mjs';

const page = 'docs/how-to/mount-in-your-framework.md';
const text = readFileSync(page, 'utf8');
const hosts = readdirSync('hosts').filter((name) => existsSync(`hosts/${name}/host.json`));

interface HostFile {
  readonly title: string;
  readonly mount: string;
  /** The host whose project and section this host uses. */
  readonly template?: string;
}

const hostOf = (name: string): HostFile =>
  JSON.parse(readFileSync(`hosts/${name}/host.json`, 'utf8'));
const shown = hosts.filter((name) => hostOf(name).template === undefined);

const block = /^<!-- (hosts\/\S+) -->\n```(\w+)(.*)\n[\s\S]*?^```$/gm;

/** The page with the current contents of the files that it names. */
function filled(): string {
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

// npx vitest run test/docs/host-pages.test.ts -u writes the files into the page again
it('shows the files that the matrix runs', async () => {
  expect([...text.matchAll(block)].length).toBeGreaterThan(0);
  await expect(filled()).toMatchFileSnapshot(new URL(`../../${page}`, import.meta.url).pathname);
});

it('marks nothing else as a file of a host, which the check of snippets leaves out', () => {
  const documents = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`);
  const marked = documents.filter((file) => /^```\w+ .*\bhost\b/m.test(readFileSync(file, 'utf8')));
  expect(marked).toEqual([page]);
  const fences = [...text.matchAll(/^```\w+ .*\bhost\b/gm)];
  const files = [...text.matchAll(block)].filter(([, , , marks]) => marks?.includes('host'));
  expect(fences).toHaveLength(files.length);
});

it('has a section for each host, and no others', () => {
  const sections = [...text.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
  expect([...sections].sort()).toEqual(shown.map((name) => hostOf(name).title).sort());
});

describe.each(shown)('hosts/%s', (host) => {
  const { title, mount } = hostOf(host);

  it('has its row in the table of the page', () => {
    expect(text).toContain(`\n| [${title}](#${anchorOf(title)})`);
  });

  it('has its mount on the page, or another host has the same', () => {
    const contents = [...text.matchAll(block)].map(([, file = '']) => readFileSync(file, 'utf8'));
    expect(contents).toContain(readFileSync(`hosts/${host}/${mount}`, 'utf8'));
  });
});

it.each(hosts)('hosts/%s has its line in the table of the runs', (host) => {
  const { title, template = host } = hostOf(host);
  const section = `../how-to/mount-in-your-framework.md#${anchorOf(hostOf(template).title)}`;
  expect(readFileSync('docs/reference/hosts.md', 'utf8')).toContain(`\n| [${title}](${section}) |`);
});

describe.each(hosts.filter((host) => existsSync(`hosts/${host}/package.json`)))(
  'hosts/%s',
  (host) => {
    it('mounts the service in three lines at most', () => {
      const { mount } = hostOf(host);
      const glue = glueOf(`hosts/${host}/${mount}`);
      expect(glue).toBeGreaterThan(0);
      expect(glue).toBeLessThanOrEqual(3);
    });
  },
);
