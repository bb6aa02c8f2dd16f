import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { contractor, deal, dealV2 } from '../kit/requests.js';
import { program, type RunningService, run, startService, stopAll } from './dealwright.js';

afterEach(stopAll);

async function post({ baseUrl }: RunningService, path: string, token: string, body: object) {
  const response = await fetch(baseUrl + path, {
    method: 'POST',
    headers: { Authorization: `Token ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as unknown };
}

/** The token that the greeting prints in a line of its own. */
function tokenOf({ said }: RunningService): string {
  return /^ {2}([\w-]{32})$/m.exec(said().stdout)?.[1] ?? '';
}

describe('a service without settings', () => {
  it('greets with a token that does the documented examples', async () => {
    const service = await startService();
    const token = tokenOf(service);
    expect(await post(service, '/api/1.0/contractor/', token, contractor)).toEqual({
      status: 201,
      body: { success: true, data: { contractor_email: 'user@example.com' } },
    });
    expect(await post(service, '/api/1.0/deal/', token, deal)).toEqual({
      status: 201,
      body: {
        success: true,
        data: { id: expect.any(Number), stage_ids: [expect.any(Number)] },
      },
    });
    expect(await post(service, '/api/2.0/deal/', token, dealV2)).toEqual({
      status: 201,
      body: {
        data: {
          payment_token: expect.any(String),
          status: 'created',
          freelancer_status: 'new',
        },
      },
    });
    for (const [path, body] of [
      ['/api/1.0/contractor/', contractor],
      ['/api/1.0/deal/', deal],
      ['/api/2.0/deal/', dealV2],
    ] as const) {
      expect((await post(service, path, token, body)).status).toBe(409);
    }
    expect((await fetch(`${service.baseUrl}/healthz`)).status).toBe(200);
    expect(service.said().stderr).toBe('');
  });

  it('prints a curl line that works as it is pasted', async () => {
    const service = await startService();
    const line = /^ {2}(curl .*)$/m.exec(service.said().stdout)?.[1] ?? '';
    const { stdout } = spawnSync('sh', ['-c', `${line} -s`], { encoding: 'utf8' });
    expect(stdout).toMatch(/^HTTP\/1\.1 200 /);
    expect(stdout).toContain('"name":"Copywriting"');
  });

  it('makes another token each time', async () => {
    const [one, two] = await Promise.all([startService(), startService()]);
    expect(tokenOf(one)).toMatch(/^[\w-]{32}$/);
    expect(tokenOf(one)).not.toBe(tokenOf(two));
    expect((await post(one, '/api/1.0/contractor/', tokenOf(two), contractor)).status).toBe(401);
  });
});

describe('a service with DEALWRIGHT_TOKENS', () => {
  it('splits each at its last "=", and keeps the partners apart', async () => {
    const service = await startService({
      DEALWRIGHT_TOKENS: 'a=b==sandbox:acme, live-token-of-acme=in-eu=production:acme:eu',
    });
    expect(service.said().stdout).toMatch(
      /^Dealwright listens on http:\/\/127\.0\.0\.1:\d+ \(production and sandbox; [^\n]*\)\n$/,
    );
    for (const token of ['a=b=', 'live-token-of-acme=in-eu']) {
      expect((await post(service, '/api/2.0/deal/', token, dealV2)).status).toBe(201);
      expect((await post(service, '/api/2.0/deal/', token, dealV2)).status).toBe(409);
    }
    expect((await post(service, '/api/2.0/deal/', 'a', dealV2)).status).toBe(401);
  });
});

describe('where it listens', () => {
  it('is what the flags say, before the environment', async () => {
    const service = await startService({ PORT: 'x', HOST: '!' }, ['--port=0', '--host=localhost']);
    expect(service.baseUrl).toMatch(/^http:\/\/localhost:\d+$/);
    expect((await fetch(`${service.baseUrl}/healthz`)).status).toBe(200);
  });

  it('is named so that this machine reaches it', async () => {
    const service = await startService({ HOST: '0.0.0.0' });
    expect(service.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await fetch(`${service.baseUrl}/healthz`)).status).toBe(200);
  });

  it('is not the port of another', async () => {
    const { port } = await startService();
    const { code, stdout, stderr } = await run(['serve', '--memory'], { PORT: String(port) }).ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      new RegExp(`^dealwright: port ${port} on 127\\.0\\.0\\.1 is in use already: .*PORT.*\\n$`),
    );
  });

  it.each([
    { HOST: '192.0.2.1', says: '192.0.2.1 is not an address of this machine' },
    { HOST: 'nowhere.invalid', says: 'nowhere.invalid' },
  ])('cannot be $HOST', async ({ HOST, says }) => {
    const { code, stdout, stderr } = await run(['serve', '--memory'], { PORT: '0', HOST }).ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^dealwright: .*\n$/);
    expect(stderr).toContain(says);
  });
});

/** Sends the head and half of the body of a request, and returns the rest to send. */
async function beginRequest(service: RunningService): Promise<{ socket: Socket; rest: string }> {
  const socket = connect(service.port, '127.0.0.1');
  await once(socket, 'connect');
  const body = JSON.stringify(contractor);
  socket.write(
    [
      'POST /api/1.0/contractor/ HTTP/1.1',
      'Host: 127.0.0.1',
      `Authorization: Token ${tokenOf(service)}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body.slice(0, 100),
    ].join('\r\n'),
  );
  // the service has answered another request, so it has read the bytes before
  await fetch(`${service.baseUrl}/healthz`);
  return { socket: socket.setEncoding('utf8'), rest: body.slice(100) };
}

async function readAll(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

describe('a service that is told to stop', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('by %s, ends with 0', async (signal) => {
    const service = await startService();
    service.child.kill(signal);
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('by the end of the shell that npm runs it in, ends too', async () => {
    // a second command keeps the shell from becoming the program
    const shell = spawn(
      'sh',
      ['-c', '"$@"; true', 'sh', process.execPath, program, 'serve', '--memory'],
      {
        env: { PATH: process.env['PATH'] ?? '', PORT: '0', npm_lifecycle_event: 'start' },
        stdio: ['ignore', 'pipe', 'ignore'],
        detached: true,
      },
    );
    try {
      await once(shell.stdout, 'data');
      shell.kill('SIGTERM');
      // closed when the last process that can write to it is gone
      await once(shell.stdout.resume(), 'close', { signal: AbortSignal.timeout(10_000) });
    } finally {
      try {
        process.kill(-(shell.pid ?? Number.NaN), 'SIGKILL');
      } catch {
        // no process of the group is left, as it should be
      }
    }
  });

  it('finishes what is in flight, takes nothing new, and closes what is idle', async () => {
    const service = await startService();
    const { socket, rest } = await beginRequest(service);
    const silent = connect(service.port, '127.0.0.1');
    await once(silent, 'connect');
    const silentEnd = once(silent.resume(), 'close');
    service.child.kill('SIGTERM');
    await silentEnd;
    await expect(fetch(`${service.baseUrl}/healthz`)).rejects.toThrow();
    expect(service.said().code).toBe(null);
    socket.write(rest);
    const answer = await readAll(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('twice, ends at once', async () => {
    const service = await startService();
    const { socket } = await beginRequest(service);
    socket.on('error', () => {});
    const silent = connect(service.port, '127.0.0.1');
    await once(silent, 'connect');
    const silentEnd = once(silent.resume(), 'close');
    service.child.kill('SIGTERM');
    await silentEnd;
    service.child.kill('SIGINT');
    expect((await service.ended).code).toBe(130);
  });
});

describe('the limits of serve', () => {
  it('end a head that does not come to its end, long before a minute', async () => {
    const service = await startService();
    const socket = connect(service.port, '127.0.0.1').setEncoding('utf8');
    socket.write('GET /healthz HTTP/1.1\r\nHost: 127');
    const began = performance.now();
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 408 /);
    // 10 s, checked every 5 s; by default, Node allows a minute, and checks every 30 s
    expect(performance.now() - began).toBeGreaterThan(8_000);
    expect(performance.now() - began).toBeLessThan(27_000);
  });

  it('keep a connection for longer than proxies do, and no head that is too large', async () => {
    const service = await startService();
    const healthy = await fetch(`${service.baseUrl}/healthz`);
    expect(healthy.headers.get('keep-alive')).toBe('timeout=65');
    const large = await fetch(`${service.baseUrl}/healthz`, {
      headers: { 'x-large': 'x'.repeat(17_000) },
    });
    expect(large.status).toBe(431);
  });
});

describe('a client that speaks no HTTP', () => {
  it('is told so', async () => {
    const service = await startService();
    const socket = connect(service.port, '127.0.0.1').setEncoding('utf8');
    socket.write('NONSENSE\r\n\r\n');
    expect(await readAll(socket)).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*does not begin with an HTTP method/,
    );
  });
});
