import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBalancer } from '../kit/balancer.js';
import { type Postgres, startPostgres } from '../kit/postgres.js';
import { dealV2 } from '../kit/requests.js';
import { countOf } from '../tiers.js';
import { startService, stopAll } from './dealwright.js';

/** How often a service is replaced: about twenty times in a run by hand. */
const restarts = countOf('DEALWRIGHT_RESTARTS', 2, 20);
/** Clients that each wait for one answer at a time. */
const clients = 8;
const token = 't0ken-of-these-tests';

let postgres: Postgres;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dealwright-rolling-'));
  postgres = await startPostgres({ fsync: false });
});
afterAll(async () => {
  stopAll();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

it(
  'loses no request of a rolling restart',
  async () => {
    const environment = {
      DATABASE_URL: postgres.url,
      DEALWRIGHT_DATA: folder,
      DEALWRIGHT_TOKENS: `${token}=sandbox:acme`,
    };
    const balancer = await startBalancer();
    const begin = async () => {
      const service = await startService(environment);
      await balancer.add(service.port);
      return service;
    };
    const services = [await begin(), await begin()];

    const failures: string[] = [];
    const created: string[] = [];
    let answered = 0;
    let isOver = false;
    const ask = async (wanted: number, path: string, body?: object) => {
      try {
        const response = await fetch(balancer.url + path, {
          headers: { authorization: `Token ${token}`, 'content-type': 'application/json' },
          ...(body && { method: 'POST', body: JSON.stringify(body) }),
        });
        const text = await response.text();
        answered += 1;
        if (response.status === wanted) return true;
        failures.push(`${response.status} ${text.slice(0, 200)}`);
      } catch (error) {
        failures.push(String((error as Error).cause ?? error));
      }
      return false;
    };
    const load = Array.from({ length: clients }, async (_, client) => {
      for (let count = 0; !isOver; count += 1) {
        const partner_id = `${client}-${count}`;
        if (await ask(201, '/api/2.0/deal/', { ...dealV2, partner_id })) created.push(partner_id);
        await ask(200, `/api/2.0/deal/${partner_id}/`);
        await sleep(5);
      }
    });
    for (let count = 0; count < restarts; count += 1) {
      const [old] = services.splice(0, 1);
      // the new one is ready before the old one is told to stop, or else one works alone
      if (count % 2 === 0) services.push(await begin());
      old?.child.kill('SIGTERM');
      expect(await old?.ended).toMatchObject({ code: 0 });
      if (count % 2 === 1) services.push(await begin());
    }
    isOver = true;
    await Promise.all(load);
    expect(failures.slice(0, 5)).toEqual([]);
    expect(failures).toHaveLength(0);
    expect(answered).toBeGreaterThan(100);
    expect(created.length).toBeGreaterThan(50);
    await balancer.close();
    console.log(`${restarts} restarts, ${answered} requests, ${failures.length} failed`);
  },
  60_000 + restarts * 15_000,
);
