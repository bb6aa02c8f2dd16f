import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorOf } from '../../scripts/hosts/anchor.mjs';

const documents = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
];

/** The text without its blocks of code. */
function proseOf(document: string): string {
  return readFileSync(document, 'utf8').replace(/^```[\s\S]*?^```/gm, '');
}

/** The anchors of headings, as links spell them. */
function anchorsOf(document: string): string[] {
  return [...proseOf(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    anchorOf(heading),
  );
}

describe.each(documents)('%s', (document) => {
  it('has no link that leads nowhere', () => {
    const broken = [...proseOf(document).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? document : join(dirname(document), path);
        if (!existsSync(target)) return true;
        return anchor !== undefined && !anchorsOf(target).includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  it('has nothing left of a merge', () => {
    expect(proseOf(document)).not.toMatch(/^(<{7}|={7}|>{7})/m);
  });
});

describe('docs/index.md', () => {
  it('leads to every page', () => {
    const index = readFileSync('docs/index.md', 'utf8');
    const pages = documents.filter(
      (each) => each.startsWith('docs/') && each !== join('docs', 'index.md'),
    );
    expect(pages.length).toBeGreaterThan(20);
    expect(pages.filter((page) => !index.includes(`](${page.slice(5)})`))).toEqual([]);
  });
});
