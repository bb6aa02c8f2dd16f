import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

let folder: string;
let port: number;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'readme-'));
  mkdirSync(join(folder, 'node_modules'));
  for (const [name, target] of [
    ['dealwright', process.cwd()],
    ['neverthrow', join(process.cwd(), 'node_modules/neverthrow')],
  ] as const) {
    symlinkSync(target, join(folder, 'node_modules', name));
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  ({ port } = probe.address() as { port: number });
  await new Promise((resolve) => probe.close(resolve));
  const texts = ['README.md', 'docs/how-to/install.md']
    .map((page) => readFileSync(page, 'utf8'))
    .join('\n');
  const named = [...texts.matchAll(/`(\w+\.js)`, and run [^\n]*\n\n```ts[^\n]*\n(.*?)\n```/gs)];
  for (const [, name = '', code = ''] of named) {
    // as printed, except for the port: another may be in use on this machine
    writeFileSync(join(folder, name), code.replaceAll('8787', String(port)));
  }
  expect(named.map(([, name]) => name)).toEqual(['deal.js', 'server.js', 'call.js']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a program of the README, and keeps its output. */
function run(name: string) {
  const child = spawn(process.execPath, [name], { cwd: folder });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      printed += text;
    });
  }
  return { child, ended: once(child, 'close').then(() => printed) };
}

it('run one after the other, and print what the README says', async () => {
  expect(await run('deal.js').ended).toBe("[ 'completed', '500.00' ]\n");
  const server = run('server.js');
  try {
    const isThere = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(isThere, { timeout: 30_000 }).toBe(true);
    expect(await run('call.js').ended).toMatch(/^created s\.\S+\n$/);
    // the same key again has the same answer
    expect(await run('call.js').ended).toMatch(/^created s\.\S+\n$/);
  } finally {
    server.child.kill('SIGKILL');
  }
  expect(await server.ended).toBe('');
});
