import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { startForwarder } from '../kit/forwarder.js';
import { startPostgres } from '../kit/postgres.js';
import { contractor, dealV2 } from '../kit/requests.js';
import { apiOf, must, useDataFolder } from './data-folder.js';
import { type RunningService, run, startService, stopAll } from './dealwright.js';

afterEach(stopAll);
const { environment } = useDataFolder();

/** Sends a request over a connection of its own. */
const ask = ({ baseUrl }: RunningService, path: string) =>
  fetch(baseUrl + path, { headers: { connection: 'close' } });

/** A service that a balancer watches. */
async function startWatched(settings: Record<string, string> = {}): Promise<RunningService> {
  const service = await startService(settings);
  expect((await ask(service, '/readyz')).status).toBe(200);
  return service;
}

async function untilWithdrawn(service: RunningService): Promise<Response> {
  for (;;) {
    const answer = await ask(service, '/readyz');
    if (answer.status !== 200) return answer;
    await answer.arrayBuffer();
    await sleep(10);
  }
}

describe('a service that a balancer watches, at SIGTERM', () => {
  it('says so for as long as it is told, and answers everything meanwhile', async () => {
    const service = await startWatched({ DEALWRIGHT_DRAIN: '8' });
    const began = performance.now();
    service.child.kill('SIGTERM');
    const withdrawn = await untilWithdrawn(service);
    expect([withdrawn.status, withdrawn.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await withdrawn.json()).toMatchObject({ code: 'unavailable' });
    // a client that keeps its connections is told to close this one
    const socket = connect(service.port, '127.0.0.1').setEncoding('utf8');
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    let said = '';
    for await (const text of socket) said += text;
    expect(said).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nconnection: close\r\n/i);
    await sleep(2_000 - (performance.now() - began));
    expect((await ask(service, '/healthz')).status).toBe(200);
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
    expect(performance.now() - began).toBeGreaterThan(7_900);
  });

  it('does so for three seconds by default, and not at all if it is told so', async () => {
    for (const [settings, least] of [
      [{}, 2_900],
      [{ DEALWRIGHT_DRAIN: '0' }, 0],
    ] as const) {
      const service = await startWatched(settings);
      const began = performance.now();
      service.child.kill('SIGTERM');
      expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
      expect(performance.now() - began).toBeGreaterThan(least);
      expect(performance.now() - began).toBeLessThan(least + 60_000);
    }
  });

  it('ends at once at a second signal', async () => {
    const service = await startWatched({ DEALWRIGHT_DRAIN: '3600' });
    service.child.kill('SIGTERM');
    await untilWithdrawn(service);
    const began = performance.now();
    service.child.kill('SIGTERM');
    expect((await service.ended).code).toBe(143);
    expect(performance.now() - began).toBeLessThan(60_000);
  });
});

it('ends within the ten seconds of docker stop if its database stops answering', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  const postgres = await startPostgres({ fsync: false });
  const forwarder = await startForwarder(postgres.port);
  try {
    const { port } = silent.address() as AddressInfo;
    const address = new URL(postgres.url);
    address.port = String(forwarder.port);
    const service = await startWatched({
      ...environment(),
      DATABASE_URL: address.href,
      DEALWRIGHT_DRAIN: '0',
      DEALWRIGHT_WEBHOOK_PRIVATE: '1',
    });
    must(await apiOf(service).createWebhook({ url: `http://127.0.0.1:${port}/` }));
    must(await apiOf(service).registerContractor(contractor));
    const posted = once(silent, 'connection');
    must(await apiOf(service).createDealV2(dealV2));
    await posted;
    const began = performance.now();
    service.child.kill('SIGTERM');
    // the post is cancelled after 6 s, and its outcome is written
    await sleep(4_000);
    forwarder.hold('all');
    await service.ended;
    // by default it drains for three seconds before: 9.5 s in all
    expect(performance.now() - began).toBeGreaterThan(6_300);
    expect(performance.now() - began).toBeLessThan(10_000);
  } finally {
    await forwarder.stop();
    await postgres.stop();
    silent.close();
  }
});

it('drains nothing at SIGINT', async () => {
  const service = await startWatched({ DEALWRIGHT_DRAIN: '3600' });
  const began = performance.now();
  service.child.kill('SIGINT');
  expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
  expect(performance.now() - began).toBeLessThan(60_000);
});

it('drains nothing if /readyz is not asked for', async () => {
  const service = await startService({ DEALWRIGHT_DRAIN: '3600' });
  expect((await ask(service, '/healthz')).status).toBe(200);
  const began = performance.now();
  service.child.kill('SIGTERM');
  expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
  expect(performance.now() - began).toBeLessThan(60_000);
});

it('refuses a time to drain that is none', async () => {
  for (const DEALWRIGHT_DRAIN of ['-1', '3s', '3601', '']) {
    const ended = await run(['serve', '--memory'], { PORT: '0', DEALWRIGHT_DRAIN }).ended;
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(
      'dealwright: DEALWRIGHT_DRAIN takes a whole number of seconds from 0 to 3600\n',
    );
  }
});

it('gives up the posts of webhooks once the grace is over, and makes them again', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  try {
    const settings = { ...environment(), DEALWRIGHT_WEBHOOK_PRIVATE: '1' };
    const service = await startService(settings);
    const { port } = silent.address() as AddressInfo;
    must(await apiOf(service).createWebhook({ url: `http://127.0.0.1:${port}/` }));
    const posted = once(silent, 'connection');
    must(await apiOf(service).createDealV2(dealV2));
    await posted;
    await sleep(200);
    const began = performance.now();
    service.child.kill('SIGTERM');
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
    // an attempt has 15 s, and docker kills after 10
    expect(performance.now() - began).toBeGreaterThan(5_000);
    expect(performance.now() - began).toBeLessThan(9_000);
    const again = await startService(settings);
    const [webhook] = must(await apiOf(again).listWebhooks());
    const { results } = must(await apiOf(again).listDeliveries(webhook?.id ?? ''));
    expect(results).toMatchObject([{ status: 'pending', attempts: [{ error: 'sender_failed' }] }]);
  } finally {
    silent.close();
  }
});
