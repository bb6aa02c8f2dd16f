import { existsSync, readFileSync } from 'node:fs';
import { createReferencePage } from 'dealwright/reference';
import { describe, expect, it } from 'vitest';
import { createServiceBackEnd, createServiceServer } from '../../../adapters/cli/service.js';
import { get } from '../../kit/open-api.js';
import { createPorts } from '../../kit/ports.js';
import { createTestHandler } from '../../kit/service.js';

const page = createReferencePage();
const handler = createTestHandler(undefined, { referencePage: page });

describe('the reference page', () => {
  it('names no file that is not one of its own, and none of another host', () => {
    const html = page['/']?.body ?? '';
    const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link);
    expect(named.length).toBe(6);
    const known = [...Object.keys(page), '/openapi.json', 'data:,'];
    expect(named.filter((link) => !known.includes(link) && !known.includes(`/${link}`))).toEqual(
      [],
    );
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|style=/);
  });

  it('gives each file its type and the policy that keeps requests here', async () => {
    expect(Object.keys(page).length).toBe(6);
    for (const path of Object.keys(page)) {
      const { status, headers, body } = await get(handler, path);
      expect([path, status, body]).toEqual([path, 200, page[path]?.body]);
      expect(headers['content-type']).toMatch(/^text\/(html|javascript|css|plain); charset=utf-8$/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      const policy = headers['content-security-policy'] ?? '';
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
    }
  });

  it('is told apart by tags, and is there for HEAD and OPTIONS alone besides', async () => {
    const first = await get(handler, '/');
    const again = await get(handler, '/', { 'if-none-match': first.headers['etag'] ?? '' });
    expect([again.status, again.body]).toEqual([304, undefined]);
    expect(again.headers['content-security-policy']).toBe(first.headers['content-security-policy']);
    expect((await get(handler, '/', {}, 'HEAD')).headers['content-length']).toBe(
      String(Buffer.byteLength(String(first.body))),
    );
    expect((await get(handler, '/', {}, 'OPTIONS')).headers['allow']).toBe('GET, HEAD, OPTIONS');
    expect((await get(handler, '/', {}, 'POST')).status).toBe(405);
  });

  it('is nowhere without the option', async () => {
    const bare = createTestHandler();
    for (const path of Object.keys(page)) expect((await get(bare, path)).status).toBe(404);
  });

  it('holds the files of the viewer and its licence to the letter', () => {
    for (const [path, file] of [
      ['/reference/swagger-ui-bundle.js', 'swagger-ui-bundle.js'],
      ['/reference/swagger-ui.css', 'swagger-ui.css'],
    ] as const) {
      expect(
        page[path]?.body === readFileSync(`node_modules/swagger-ui-dist/${file}`, 'utf8'),
      ).toBe(true);
    }
    expect(page['/reference/LICENSE']?.body).toContain('Apache License');
  });

  it('brings no package along for who installs this one', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
    const needed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    expect(needed.filter((name) => /swagger|scarf/.test(name))).toEqual([]);
    expect(existsSync('dist/adapters/reference/swagger-ui/NOTICE')).toBe(true);
  });
});

describe('the option referencePage', () => {
  const file = { headers: { 'content-type': 'text/html' }, body: '' };

  it.each([
    ['a path of the interface', { '/api/1.0/deal/': file }],
    ['the path of the document', { '/openapi.json': file }],
    ['an invalid path', { page: file }],
    ['a file without a body', { '/': { headers: {} } }],
    ['a header that ends early', { '/': { headers: { 'x-a': 'a\r\nb: c' }, body: '' } }],
    ['no file', { '/': null }],
  ])('is refused for %s', (_, referencePage) => {
    expect(() => createTestHandler(undefined, { referencePage: referencePage as never })).toThrow(
      /referencePage/,
    );
  });
});

it('dealwright serve shows it', async () => {
  const { authenticator: _, ...ports } = createPorts();
  const server = createServiceServer(createServiceBackEnd(ports));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  try {
    const { port } = server.address() as { readonly port: number };
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await answer.text()).toContain('<title>API reference</title>');
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  }
});
