import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dealV2 } from '../kit/requests.js';
import { type RunningService, run, stopAll } from './dealwright.js';
import { ask, settingsOf, startKnownService } from './service-client.js';

const folder = mkdtempSync(join(tmpdir(), 'dealwright-download-'));
const content = randomBytes(3 * 1024 * 1024);
const sha256 = createHash('sha256').update(content).digest('hex');
const path = join(folder, 'draft.bin');
const id = dealV2.partner_id;

let service: RunningService;
let file: string;
beforeAll(async () => {
  writeFileSync(path, content);
  service = await startKnownService();
  await ask(service, ['deals', 'create', '--file', '-'], JSON.stringify(dealV2));
  const none = await ask(service, ['files', 'list', id]);
  expect(none).toEqual({ code: 0, stdout: 'no files\n', stderr: '' });
  const sent = await ask(service, ['files', 'upload', id, path, '--by-partner-id', '--json']);
  expect(sent).toMatchObject({ code: 0, stderr: '' });
  file = JSON.parse(sent.stdout).id;
});
afterAll(() => {
  stopAll();
  rmSync(folder, { recursive: true });
});

it('files list shows the files of a deal', async () => {
  const { stdout } = await ask(service, ['files', 'list', id]);
  expect(stdout).toMatch(/^id +stage_id +status +size +content_type +uploaded_at +by +name\n/);
  expect(stdout).toMatch(new RegExp(`^${file} +\\d+ +stored +3145728 .* draft\\.bin$`, 'm'));
  const listed = JSON.parse((await ask(service, ['files', 'list', id, '--json'])).stdout);
  expect(listed).toMatchObject([{ id: file, sha256 }]);
  expect(await ask(service, ['files', 'list', 'nowhere'])).toMatchObject({ code: 3, stdout: '' });
});

describe('files download', () => {
  const download = (...args: string[]) => ask(service, ['files', 'download', id, ...args]);

  it('writes a new file, and says what it is', async () => {
    const out = join(folder, 'new.bin');
    const { code, stdout, stderr } = await download(file, '--out', out);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^sha256 +${sha256}$`, 'm'));
    expect(readFileSync(out).equals(content)).toBe(true);
    const json = await download(file, '--out', join(folder, 'json.bin'), '--json');
    expect(JSON.parse(json.stdout)).toEqual({
      id: file,
      name: 'draft.bin',
      size: content.length,
      sha256,
      content_type: 'application/octet-stream',
    });
  });

  it('writes the content and nothing else to stdout', async () => {
    const { child, ended } = run(['files', 'download', id, file], settingsOf(service));
    child.stdout?.setEncoding('latin1');
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(createHash('sha256').update(stdout, 'latin1').digest('hex')).toBe(sha256);
  });

  it('overwrites nothing', async () => {
    const { code, stdout, stderr } = await download(file, '--out', path);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`${path} exists already, and is not overwritten`);
    expect(readFileSync(path).equals(content)).toBe(true);
  });

  it('says what is refused', async () => {
    const out = join(folder, 'none.bin');
    for (const [args, code, says] of [
      [['01KDVE00000000000000000000', '--out', out], 3, '(not_found)'],
      [[file, '--out', join(folder, 'nowhere', 'x')], 2, 'there is no such folder'],
      [[file, '--out', folder], 2, 'exists already'],
      [[file, '--json'], 2, 'without --out the content goes to stdout'],
    ] as const) {
      const ended = await download(...args);
      expect([args, ended.code, ended.stdout]).toEqual([args, code, '']);
      expect(ended.stderr).toContain(says);
    }
    expect(existsSync(out)).toBe(false);
  });

  it.each([
    ['breaks off', 'abc', 5, createHash('sha256').update('abcde').digest('hex')],
    ['is another', 'abcde', 5, '0'.repeat(64)],
  ])('keeps no file whose content %s', async (_, sent, size, etag) => {
    const odd = createServer((_request, response) => {
      response.writeHead(200, {
        'Content-Type': 'text/plain',
        'Content-Length': String(size),
        'Content-Disposition': 'attachment; filename="odd.txt"',
        ETag: `"${etag}"`,
      });
      response.write(sent, () => (sent.length < size ? response.destroy() : response.end()));
    });
    await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`;
    const out = join(folder, 'odd.txt');
    const args = ['files', 'download', id, file, '--out', out];
    const plain = await ask({ baseUrl }, args);
    expect(plain).toMatchObject({ code: 1, stdout: '' });
    expect(plain.stderr).toMatch(/^dealwright: it broke off: .+\n$/);
    const json = await ask({ baseUrl }, [...args, '--json']);
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'unavailable' } });
    await new Promise((resolve) => odd.close(resolve));
    expect(existsSync(out)).toBe(false);
  });

  it('interrupted, ends with 130 and keeps no file', async () => {
    const slow = createServer((_request, response) => {
      response.writeHead(200, {
        'Content-Type': 'text/plain',
        'Content-Length': '5',
        'Content-Disposition': 'attachment; filename="slow.txt"',
        ETag: `"${'0'.repeat(64)}"`,
      });
      response.write('abc');
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const out = join(folder, 'slow.txt');
    const args = ['files', 'download', id, file, '--out', out];
    const { child, ended } = run(args, settingsOf({ baseUrl }));
    await expect.poll(() => existsSync(out)).toBe(true);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, stdout: '' });
    expect((await ended).stderr).toBe('dealwright: interrupted\n');
    expect(existsSync(out)).toBe(false);
    slow.closeAllConnections();
    await new Promise((resolve) => slow.close(resolve));
  });
});
