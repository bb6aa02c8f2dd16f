import { createMarketplace, type OperatorDealQuery } from 'dealwright';
import { type Row, type Store, type Tenant, ulidOf } from 'dealwright/ports';
import { ok } from 'neverthrow';
import { describe, expect, it } from 'vitest';
import { acme, ask, globex } from '../../spec/store/subject.js';
import {
  absent,
  committed,
  consumption,
  creation,
  delivery,
  insertOf,
  numbers,
  present,
  webhookWrite,
  writeOf,
} from '../../spec/store/writes.js';
import { createWorld } from '../faces/world.js';
import { okOf, refusalOf } from './terms-world.js';

const start = Date.UTC(2026, 0, 1);
const time = (seconds: number) => new Date(start + seconds * 1000).toISOString();
const none = { status_since: null, alert: null, alert_at: null, attention: null } as const;

/** A world whose store is filled directly, and counts its reads by an index. */
function createSeeded() {
  const { ports, clock } = createWorld();
  const { store } = ports;
  // real time is that of the test, too
  const marketplace = createMarketplace({ ...ports, timer: clock });
  const operator = marketplace.operator('sandbox');
  const { records } = store;
  let reads = 0;
  Object.assign(store, {
    records: {
      ...records,
      byIndex(...asked: Parameters<Store['records']['byIndex']>) {
        reads += 1;
        return records.byIndex(...asked);
      },
    },
  });
  const write = async (tenant: Tenant, set: Parameters<Store['commit']>[1]) => {
    expect(await ask(store.commit(tenant, set))).toEqual(committed);
  };
  return {
    ...{ clock, marketplace, operator, write },
    reads: () => reads,
    async deal(tenant: Tenant, name: string, given: Partial<Row<'deal'>>) {
      const own = await numbers(store, tenant, 1);
      await write(tenant, creation(name, own, { ...none, ...given }));
    },
    async list(query: OperatorDealQuery) {
      const { results, ...page } = await okOf(operator.listDeals(query));
      return { ...page, names: results.map(({ partner_id }) => partner_id) };
    },
  };
}

/** Many deals of one moment each, the first one accepted. */
async function withMany(count: number) {
  const seeded = createSeeded();
  for (let at = 0; at < count; at += 1) {
    await seeded.deal(at % 2 === 0 ? acme : globex, `deal ${at}`, {
      created_at: time(at),
      status_since: time(at),
      freelancer_status: at === 0 ? 'accepted' : 'new',
    });
  }
  return seeded;
}

describe('a list of which few deals are wanted', () => {
  it('goes on, and back, from what an empty page has looked at', async () => {
    const { list } = await withMany(1_050);
    const query = { freelancer_status: 'accepted', page_size: 1 } as const;
    const first = await list(query);
    expect(first).toMatchObject({ names: [], previous: null });
    const second = await list({ ...query, cursor: String(first.next) });
    expect(second).toMatchObject({ names: ['deal 0'], next: null });
    const before = await list({ ...query, cursor: String(second.previous) });
    expect(before.names).toEqual([]);
    const again = await list({ ...query, cursor: String(before.next) });
    expect(again.names).toEqual(['deal 0']);
  });

  it('takes few reads, however small its pages are', async () => {
    const { list, reads } = await withMany(1_050);
    for (const page_size of [1, 100]) {
      const before = reads();
      await list({ freelancer_status: 'removed', page_size });
      expect(reads() - before).toBeLessThan(8);
    }
  });

  it('reads none that its times exclude', async () => {
    const { list, reads } = await withMany(1_050);
    const queries: readonly OperatorDealQuery[] = [
      { freelancer_status: 'removed', stuck_since: time(50) },
      { status: 'created', freelancer_status: 'removed', created_from: time(1_000) },
      {
        status: 'created',
        freelancer_status: 'removed',
        created_from: time(1_000),
        stuck_since: time(1_040),
      },
    ];
    for (const query of queries) {
      const before = reads();
      expect(await list({ ...query, page_size: 60 })).toMatchObject({ names: [], next: null });
      expect(reads() - before).toBe(1);
    }
  });
});

describe('a deal that is named', () => {
  it('has an alert only from its time on', async () => {
    const { deal, list, clock } = createSeeded();
    await deal(acme, 'one', { alert: 'overdue', alert_at: time(60) });
    const query = { alert: 'overdue', partner_id: 'one' } as const;
    for (const more of [{}, { partner: 'acme' }]) {
      expect((await list({ ...query, ...more })).names).toEqual([]);
    }
    clock.advance(60_000);
    for (const more of [{}, { partner: 'acme' }]) {
      expect((await list({ ...query, ...more })).names).toEqual(['one']);
    }
  });

  it('is found at once with its partner, though thousands have the same name', async () => {
    const { deal, list, reads } = createSeeded();
    for (let at = 0; at < 30; at += 1) {
      await deal({ environment: 'sandbox', partner: `p${at}` }, 'one', {});
    }
    const page = await list({ partner: 'p7', partner_id: 'one', page_size: 1 });
    expect(page).toEqual({ names: ['one'], next: null, previous: null });
    expect(reads()).toBe(0);
    expect((await list({ partner: 'p7', partner_id: 'two' })).names).toEqual([]);
    const other = { partner: 'p7', partner_id: 'one', status: 'accepted' } as const;
    expect((await list(other)).names).toEqual([]);
  });
});

describe('a search', () => {
  it('says that there may be more, though one deal has all payments that were read', async () => {
    const { deal, write, operator } = createSeeded();
    for (const name of ['one', 'two']) {
      await deal(acme, name, {});
      for (const at of [0, 1, 2]) {
        const id = `${name === 'one' ? 'a' : 'b'}${at}`;
        await write(
          acme,
          writeOf({
            expect: [absent('employer_payment', id), present('deal', name)],
            insert: [insertOf('employer_payment', { id, partner_id: name, reference: 'wire' })],
          }),
        );
      }
    }
    const find = (page_size: number) => okOf(operator.searchDeals({ text: 'wire', page_size }));
    const few = await find(1);
    expect([few.results.length, few.is_more]).toEqual([1, true]);
    const all = await find(6);
    expect([all.results.map(({ partner_id }) => partner_id), all.is_more]).toEqual([
      ['two', 'one'],
      false,
    ]);
  });
});

describe('a redelivery of all since a time', () => {
  it('begins with the oldest delivery of that time, and goes on where a batch ended', async () => {
    const { write, marketplace } = createSeeded();
    const webhook = '01KDVE00000000000000000001';
    await write(acme, webhookWrite(webhook, { status: 'enabled', ends_at: null, types: null }));
    await write(acme, consumption(`webhook:${webhook}`, { failing_since: null, ends_at: null }));
    const ids = Array.from({ length: 1_060 }, (_, at) =>
      ulidOf(start + at * 60_000, new Uint8Array(16)),
    );
    for (const [at, id] of ids.entries()) {
      const created_at = time(at * 60);
      const given = { status: 'failed', failed_at: time(99_999), attempts: '[]' } as const;
      await write(acme, delivery(`webhook:${webhook}`, id, { ...given, created_at }));
    }
    const api = marketplace.partner(acme);
    const since = time(10 * 60);
    const first = await okOf(api.redeliverAll(webhook, { since }));
    expect(first).toEqual({ count: 1_000, next: ids[1_009] });
    const left = async () => {
      const found: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const query = { page_size: 100, ...(cursor !== undefined && { cursor }) };
        const page = await okOf(api.listFailedDeliveries(query));
        found.push(...page.results.map(({ id }) => id));
        cursor = page.next;
      }
      return found.sort();
    };
    expect(await left()).toEqual([...ids.slice(0, 10), ...ids.slice(1_010)]);
    const cursor = String(first.next);
    const rest = await okOf(api.redeliverAll(webhook, { since, cursor }));
    expect(rest).toEqual({ count: 50, next: null });
    expect(await left()).toEqual(ids.slice(0, 10));
  });
});

describe('partners', () => {
  it('are listed by the environment, each once, with the names of the host', async () => {
    const { ports } = createWorld();
    const partnerName = (partner: string) => (partner === 'p1' ? 'Acme Ltd' : undefined);
    const marketplace = createMarketplace(ports, { partnerName });
    const partners = ['partner', ...Array.from({ length: 6 }, (_, at) => `p${at}`)];
    const tenants = partners.flatMap((partner): Tenant[] => [
      { environment: 'production', partner: `live ${partner}` },
      { environment: 'sandbox', partner },
    ]);
    for (const [at, tenant] of tenants.entries()) {
      const write = creation(`${at}`, await numbers(ports.store, tenant, 1), none);
      expect(await ask(ports.store.commit(tenant, write))).toEqual(committed);
    }
    for (const [environment, expected] of [
      ['sandbox', partners],
      ['production', partners.map((partner) => `live ${partner}`)],
    ] as const) {
      const operator = marketplace.operator(environment);
      for (const page_size of [1, 3, 7, 100]) {
        const found: string[] = [];
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const query = { page_size, ...(cursor !== undefined && { cursor }) };
          const page = await okOf(operator.listPartners(query));
          expect(page.results.length).toBeLessThanOrEqual(page_size);
          expect(page.results.length).toBeGreaterThan(0);
          for (const { partner, partner_name } of page.results) {
            expect(partner_name).toBe(partner === 'p1' ? 'Acme Ltd' : null);
            found.push(partner);
          }
          cursor = page.next;
        }
        expect(found.sort()).toEqual([...expected].sort());
      }
    }
  });

  it('are read past the first thousand of the other environment', async () => {
    const { ports } = createWorld();
    const { store } = ports;
    const logs = Array.from({ length: 2_500 }, (_, at) => ({
      tenant: { environment: at < 2_400 ? 'production' : 'sandbox', partner: `p${at}` } as Tenant,
      end: '1',
    }));
    const tenants: Store['tenants'] = async (after, limit) => {
      const at = logs.findIndex(({ tenant }) => tenant.partner === after?.partner) + 1;
      return ok(logs.slice(at, at + limit));
    };
    const operator = createMarketplace({ ...ports, store: { ...store, tenants } }).operator(
      'sandbox',
    );
    const first = await okOf(operator.listPartners({ page_size: 60 }));
    expect(first.results.map(({ partner }) => partner)).toEqual(
      Array.from({ length: 60 }, (_, at) => `p${2_400 + at}`),
    );
    const last = await okOf(operator.listPartners({ page_size: 60, cursor: first.next ?? '' }));
    expect(last.results.at(-1)?.partner).toBe('p2499');
    expect(last.next).toBeNull();
  });

  it('are listed with cursors that name a partner, and no others', async () => {
    const { operator } = createSeeded();
    for (const cursor of [
      '',
      'acme',
      'sandbox ',
      `sandbox ${'x'.repeat(129)}`,
      'production acme',
    ]) {
      expect(await refusalOf(operator.listPartners({ cursor }))).toBe('invalid_cursor');
    }
    expect(await refusalOf(operator.listPartners({ page_size: 0 }))).toBe(
      'validation_failed page_size:out_of_range',
    );
  });
});

describe('readers of events that fail', () => {
  const hour = 3_600;

  it('count once they have failed for an hour', async () => {
    const { write, operator, clock } = createSeeded();
    await write(acme, consumption('subscription:mail', { failing_since: time(0), ends_at: null }));
    const names = async () => {
      const { results } = await okOf(operator.listFailing());
      const summary = await okOf(operator.summarize());
      const line = summary.results.find(({ reason }) => reason === 'webhook_failing');
      expect(line).toEqual({
        ...{ reason: 'webhook_failing', count: results.length, is_more: false },
        since: results[0]?.failing_since ?? null,
      });
      return results.map(({ name }) => name);
    };
    expect(await names()).toEqual([]);
    clock.advance(hour * 1000 - 1);
    expect(await names()).toEqual([]);
    clock.advance(1);
    expect(await names()).toEqual(['subscription:mail']);
  });

  it('are each on one page, though several fail since one moment under one name', async () => {
    const { write, operator, clock } = createSeeded();
    const partners = Array.from({ length: 5 }, (_, at) => `p${at}`);
    for (const partner of partners) {
      const given = { failing_since: time(0), ends_at: null };
      await write({ environment: 'sandbox', partner }, consumption('subscription:mail', given));
    }
    clock.advance(2 * hour * 1000);
    const found: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const query = { page_size: 2, ...(cursor !== undefined && { cursor }) };
      const page = await okOf(operator.listFailing(query));
      found.push(...page.results.map(({ partner }) => partner));
      cursor = page.next;
    }
    expect(found.sort()).toEqual(partners);
  });

  it('are not those of deleted webhooks, nor do these have failed deliveries', async () => {
    const { write, operator, marketplace, clock } = createSeeded();
    const [gone, live] = ['01KDVE00000000000000000001', '01KDVE00000000000000000002'];
    for (const [id = '', status] of [
      [gone, 'deleted'],
      [live, 'enabled'],
    ] as const) {
      const ends_at = status === 'deleted' ? time(99 * hour) : null;
      await write(acme, webhookWrite(id, { status, ends_at, types: null }));
      // a relay had it in hand when it was deleted, and noted a failure later
      await write(acme, consumption(`webhook:${id}`, { failing_since: time(0), ends_at }));
      const failed = { status: 'failed', failed_at: time(1), attempts: '[]' } as const;
      await write(acme, delivery(`webhook:${id}`, id.replace('01KDVE', '01KDVF'), failed));
    }
    clock.advance(2 * hour * 1000);
    const { results } = await okOf(operator.listFailing());
    expect(results.map(({ name }) => name)).toEqual([`webhook:${live}`]);
    const summary = await okOf(operator.summarize());
    expect(summary.results.find(({ reason }) => reason === 'webhook_failing')?.count).toBe(1);
    const failed = await okOf(marketplace.partner(acme).listFailedDeliveries());
    expect(failed.results.map(({ webhook_id }) => webhook_id)).toEqual([live]);
  });

  it('are listed with their own cursors alone', async () => {
    const { operator, marketplace } = createSeeded();
    const ulid = '01KDVE00000000000000000001';
    for (const cursor of [
      '',
      'x y',
      `${time(0)} name`,
      `soon ${ulid}`,
      `${time(0)} ${ulid} x`,
      ulid,
    ]) {
      expect(await refusalOf(operator.listFailing({ cursor }))).toBe('invalid_cursor');
      const failed = marketplace.partner(acme).listFailedDeliveries({ cursor });
      expect(await refusalOf(failed)).toBe('invalid_cursor');
    }
  });
});

describe('the deliveries of a deal', () => {
  const [live, gone, other] = ['1', '2', '3'].map((at) => `01KDVE0000000000000000000${at}`);

  async function withDeliveries() {
    const seeded = createSeeded();
    const { write, deal } = seeded;
    await deal(acme, 'one', {});
    await deal(acme, 'two', {});
    await deal(globex, 'one', {});
    for (const [id = '', status] of [
      [live, 'enabled'],
      [gone, 'deleted'],
      [other, 'disabled'],
    ] as const) {
      const ends_at = status === 'deleted' ? time(999) : null;
      await write(acme, webhookWrite(id, { status, ends_at, types: null }));
      await write(acme, consumption(`webhook:${id}`, { failing_since: null, ends_at }));
    }
    await write(acme, consumption('subscription:mail', { failing_since: null, ends_at: null }));
    const expected: string[] = [];
    for (let at = 0; at < 12; at += 1) {
      const consumer = [`webhook:${live}`, `webhook:${other}`, `webhook:${gone}`][at % 3] ?? '';
      const subject = at % 4 === 3 ? 'deal:two' : 'deal:one';
      const id = ulidOf(start + at, new Uint8Array(16));
      const given = { subject, attempts: '[]', status: 'delivered', failed_at: null } as const;
      await write(acme, delivery(consumer, id, given));
      if (subject === 'deal:one' && at % 3 < 2) expected.unshift(`${consumer} ${id}`);
    }
    const handled = ulidOf(start + 99, new Uint8Array(16));
    const given = { subject: 'deal:one', attempts: '[]', failed_at: null } as const;
    await write(acme, delivery('subscription:mail', handled, given));
    return { ...seeded, expected };
  }

  it('are those to its webhooks, page by page, and the same for the operator', async () => {
    const { marketplace, operator, expected } = await withDeliveries();
    expect(expected).toHaveLength(6);
    for (const api of [marketplace.partner(acme), operator.partner('acme')]) {
      for (const page_size of [1, 2, 5, 100]) {
        const found: string[] = [];
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const query = { page_size, ...(cursor !== undefined && { cursor }) };
          const page = await okOf(api.listDealDeliveries('one', query));
          expect(page.results.length).toBeLessThanOrEqual(page_size);
          found.push(...page.results.map(({ webhook_id, id }) => `webhook:${webhook_id} ${id}`));
          cursor = page.next;
        }
        expect(found).toEqual(expected);
      }
    }
  });

  it('are none of a deal of another partner, and refused of a deal that does not exist', async () => {
    const { marketplace, operator } = await withDeliveries();
    const theirs = await okOf(marketplace.partner(globex).listDealDeliveries('one'));
    expect(theirs).toEqual({ results: [], next: null });
    for (const api of [marketplace.partner(globex), operator.partner('globex')]) {
      // no other error tells of a deal that is not seen
      for (const query of [{}, { page_size: 0 }, { cursor: 'x' }]) {
        expect(await refusalOf(api.listDealDeliveries('two', query))).toBe('not_found deal');
      }
      for (const cursor of ['', 'x', `${time(0)} ${live}`]) {
        expect(await refusalOf(api.listDealDeliveries('one', { cursor }))).toBe('invalid_cursor');
      }
    }
  });

  it('cost one read of the index, however many there are', async () => {
    const { marketplace, reads } = await withDeliveries();
    const before = reads();
    await okOf(marketplace.partner(acme).listDealDeliveries('one', { page_size: 2 }));
    expect(reads() - before).toBe(1);
  });
});
