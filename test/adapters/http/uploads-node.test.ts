import { createFetchHandler } from 'dealwright/http';
import { describe, expect, test } from 'vitest';
import { asAcme, head, onNode, openSocket } from './service.js';
import {
  asForm,
  boundary,
  createUploads,
  expectNothing,
  filePart,
  form,
  sha256,
  stagePart,
} from './uploads.js';

type Uploads = Awaited<ReturnType<typeof createUploads>>;
type Send = (init: RequestInit & { readonly duplex?: 'half' }) => Promise<Response>;

const wholeAnswer = /\r\n\r\n\{.*\}$/s;
const limit = 25 * 2 ** 20;

/** The form of a file of so many bytes, in pieces. */
function* pieces(size: number, stage: number): Generator<Uint8Array> {
  const [begin = '', end = ''] = form(filePart('|'), stagePart(stage)).split('|');
  yield Buffer.from(begin);
  const piece = new Uint8Array(64 * 1024).fill(0x2d);
  for (let left = size; left > 0; left -= piece.length) yield piece.subarray(0, left);
  yield Buffer.from(end);
}

const streamOf = (source: Iterator<Uint8Array>) =>
  new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value, done } = source.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });

/** Waits until a condition is true. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) {
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}

describe.each<[string, (uploads: Uploads, run: (send: Send) => Promise<void>) => Promise<void>]>([
  [
    'the Node listener',
    ({ handler, path }, run) =>
      onNode(handler, (baseUrl) =>
        run((init) => fetch(baseUrl + path, { method: 'POST', ...init })),
      ),
  ],
  [
    'the fetch handler',
    async ({ handler, path }, run) => {
      const serve = createFetchHandler(handler);
      await run((init) =>
        serve(new Request(`http://localhost${path}`, { method: 'POST', ...init })),
      );
    },
  ],
])('uploads over %s', (_, over) => {
  test('a form of the platform, and JSON', async () => {
    const uploads = await createUploads();
    await over(uploads, async (send) => {
      const body = new FormData();
      body.append('file', new Blob(['work'], { type: 'text/plain' }), 'ł "1".txt');
      body.append('stage_id', String(uploads.stage));
      const { authorization } = asForm;
      const asked = await send({ headers: { authorization }, body });
      expect(asked.status).toBe(201);
      const { data } = await asked.json();
      expect(data).toMatchObject({ name: 'ł "1".txt', sha256: sha256('work') });
      const json = JSON.stringify({ name: 'a', content: 'd29yaw==' });
      expect((await send({ headers: asAcme, body: json })).status).toBe(201);
      expect(await uploads.recorded()).toHaveLength(2);
    });
  });

  test('25 MiB in chunks, and a byte more', async () => {
    const uploads = await createUploads();
    await over(uploads, async (send) => {
      const upload = (size: number) =>
        send({ headers: asForm, body: streamOf(pieces(size, uploads.stage)), duplex: 'half' });
      const taken = await upload(limit);
      expect(taken.status).toBe(201);
      const whole = new Uint8Array(limit).fill(0x2d);
      expect((await taken.json()).data).toMatchObject({ size: limit, sha256: sha256(whole) });
      const refused = await upload(limit + 1);
      expect(refused.status).toBe(413);
      expect(await refused.json()).toMatchObject({ code: 'payload_too_large', max_bytes: limit });
      expect(await uploads.kept()).toHaveLength(1);
    });
  });

  test('a body that breaks off leaves nothing, and reports no error', async () => {
    const errors: unknown[] = [];
    const statuses: number[] = [];
    const uploads = await createUploads({
      onError: (report) => errors.push(report),
      onRequest: ({ status }) => statuses.push(status),
    });
    await over(uploads, async (send) => {
      const before = statuses.length;
      const aborted = new AbortController();
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          controller.enqueue(Buffer.from(filePart('x'.repeat(100_000)).slice(0, 50_000)));
          await new Promise((resolve) => {
            setTimeout(resolve, 20);
          });
          aborted.abort();
          controller.error(new Error('gone'));
        },
      });
      const init = { headers: asForm, body, duplex: 'half', signal: aborted.signal } as const;
      await send(init).catch(() => undefined);
      await until(() => statuses.length > before);
      expect(statuses.slice(before)).toEqual([400]);
    });
    expect(errors).toEqual([]);
    await expectNothing(uploads);
  });
});

test.each([
  ['declared', (size: number) => ({ 'content-length': size })],
  ['in chunks', () => ({ 'transfer-encoding': 'chunked' })],
])(
  'a file of 25 MiB and a byte, %s: 413 that a client can read that reads only then',
  async (how, length) => {
    const uploads = await createUploads();
    await onNode(uploads.handler, async (_, port) => {
      const body = Buffer.concat([...pieces(limit + 1, uploads.stage)]);
      const { socket, received, closed } = openSocket(port);
      socket.write(head(`POST ${uploads.path}`, { ...asForm, ...length(body.length) }));
      socket.write(
        how === 'declared'
          ? body
          : Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body]),
      );
      await closed;
      expect(received()).toMatch(/^HTTP\/1\.1 413/);
      expect(received()).toMatch(new RegExp(`"max_bytes":${limit}[,}]`));
      // a body of a declared length may have arrived whole before the answer
      if (how === 'in chunks') expect(received()).toMatch(/connection: close\r\n/i);
    });
    await expectNothing(uploads);
  },
);

test.each([
  ['401', { ...asForm, authorization: 'Token x' }, ''],
  ['404', asForm, 'x/'],
  ['404', asForm, '../../1/file/'],
  ['415', { ...asForm, 'content-type': 'text/plain' }, ''],
])(
  'an upload that is refused with %s before its body is read lets the client read that',
  async (status, headers, suffix) => {
    const uploads = await createUploads();
    await onNode(uploads.handler, async (_, port) => {
      const { socket, until: receives, closed } = openSocket(port);
      const length = { 'content-length': limit };
      socket.write(head(`POST ${uploads.path}${suffix}`, { ...headers, ...length }));
      expect(await receives(wholeAnswer)).toMatch(new RegExp(`^HTTP/1\\.1 ${status}`));
      socket.write(Buffer.alloc(2 ** 20));
      await closed;
    });
    await expectNothing(uploads);
  },
);

test('a client that asks whether it may go on is told so, and answered', async () => {
  const uploads = await createUploads();
  await onNode(uploads.handler, async (_, port) => {
    const { socket, until: receives } = openSocket(port);
    const body = form(filePart('work'));
    const headers = { ...asForm, expect: '100-continue', 'content-length': body.length };
    socket.write(head(`POST ${uploads.path}`, headers));
    expect(await receives(/100 Continue\r\n\r\n/)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    socket.write(body);
    expect(await receives(wholeAnswer)).toMatch(/HTTP\/1\.1 201 Created/);
    socket.write(head(`POST ${uploads.path}`, { ...headers, expect: 'the-unexpected' }));
    expect(await receives(/417 /)).toMatch(/HTTP\/1\.1 417 /);
    socket.destroy();
  });
});

test('a form that comes a byte at a time', async () => {
  const uploads = await createUploads();
  await onNode(uploads.handler, async (_, port) => {
    const { socket, until: receives } = openSocket(port);
    socket.setNoDelay(true);
    const body = form(filePart('--'), stagePart(uploads.stage)).trimEnd();
    socket.write(head(`POST ${uploads.path}`, { ...asForm, 'content-length': body.length }));
    for (const character of body) {
      socket.write(character);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    expect(await receives(wholeAnswer)).toMatch(/^HTTP\/1\.1 201/);
    expect(socket.destroyed).toBe(false);
    socket.destroy();
  });
  expect(boundary).toMatch(/^-/);
});
